"""The forms of chapter headings in novels, and lines that only look like headings."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.readers.marks import Mark, mark_of
from tests.adapters.readers.files import prose, read_back

_TEXT = prose(400)
_LISTED = ["I. The Bank", "II. The Road", "III. The Wood"]
_BELOW = f"\n\n{_TEXT}\n\n{prose(60)}"


def _plain(headings: Sequence[str]) -> str:
    return "\n\n".join(f"{heading}{_BELOW}" for heading in headings)


def _titles(folder: Path, text: str) -> list[str]:
    return [chapter.title for chapter in read_back(folder, text).chapters]


@pytest.mark.parametrize(
    "headings",
    [
        ["I: There Is No One Left", "II: Martha", "III: “Might I Have a Bit of Earth?”"],
        ["I. The River Bank.", "II. The Open Road.", "III. The Wild Wood."],
        ["I.—The Shore", "II.—The Sea", "III.—The Sky"],
        ["I THE SHORE", "II THE SEA", "III THE SKY"],
        ["1. The Shore", "2. In which nothing happens", "3. Home"],
        ["1", "2", "3"],
        ["I", "II", "III"],
        ["I.", "II.", "III."],
        ["— I —", "— II —", "— III —"],
        ["[ 1 ]", "[ 2 ]", "[ 3 ]"],
        ["ONE", "TWO", "THREE"],
        ["One", "Two", "Three"],
        ["The First", "The Second", "The Third"],
        ["CHAPTER THE FIRST", "CHAPTER THE SECOND", "CHAPTER THE LAST"],
        ["First Chapter", "Second Chapter", "The Last Chapter"],
        ["Letter 1", "Letter 2", "Letter the Third"],
        ["Chapter 1. Down the Hole", "Chapter 2. The Pool", "Chapter 3. A Race"],
        ["BOOK I. CHAPTER I", "BOOK I. CHAPTER II", "BOOK II, CHAPTER I"],
        ["Part I: The Shore / I: A Boat", "II: A Man", "Part II: The Sea / I: A Storm", "II: A Wreck"],
        ["Part I: The Shore / I: A Boat", "II: A Man", "Part II: The Sea / III: A Storm", "IV: A Wreck"],
        ["Prologue", "I", "II", "Epilogue"],
        ["FIRST PERIOD", "SECOND PERIOD"],
        ["Phase the First: The Maiden", "Phase the Second: Maiden No More"],
        ["I", "II", "IV", "V"],
    ],
    ids=str,
)
def test_chapters_by_their_headings(headings: list[str], tmp_path: Path) -> None:
    assert _titles(tmp_path, _plain(headings)) == headings


@pytest.mark.parametrize(
    "headings",
    [
        [
            "Mrs. Rachel Lynde Is Surprised",
            "Matthew Cuthbert Is Surprised",
            "“It Has Come!”",
            "A Word with John Day, M.D.",
        ],
        ["STORY OF THE DOOR", "SEARCH FOR MR. HYDE", "DR. JEKYLL WAS QUITE AT EASE"],
        ["The end of the road", "A day at the sea", "Nothing but rain"],
    ],
    ids=lambda headings: headings[0],
)
@pytest.mark.parametrize("apart", ["\f", "\n\n\n\n\n"], ids=["pages", "gaps"])
def test_titles_alone_at_the_top_of_a_page_or_behind_a_gap(headings: list[str], apart: str, tmp_path: Path) -> None:
    page_break = "\f" if apart == "\f" else "\n\n"
    chapters = [f"{heading}\n\n{_TEXT}{page_break}{_TEXT}{page_break}{prose(100)}" for heading in headings]
    assert _titles(tmp_path, apart.join(chapters)) == headings


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (f"PART ONE{_BELOW}\n\nPART TWO{_BELOW}\n\nEND OF PART TWO\n\nTHE END", ["PART ONE", "PART TWO"]),
        (
            f"PART I\n\nTHE SHORE\n\n1{_BELOW}\n\n2{_BELOW}\n\nPART II\n\nTHE SEA\n\n1{_BELOW}",
            ["1", "2", "1"],
        ),
        (f"I.\nTHE EVE\nOF THE WAR.{_BELOW}\n\nII.\nTHE STAR.{_BELOW}\n\nIII.\nHOME.{_BELOW}", None),
        (
            f"CONTENTS\n\n  I. The Bank\n  II. The Road\n  III. The Wood\n\n\n\n{_plain(_LISTED)}",
            _LISTED,
        ),
        (
            "My Novel\n\nContents\n\nThe Bank .... 1\nThe Road .... 9\nThe Wood .... 12\n\n"
            + _plain(["THE BANK", "The Road", "The Wood"]),
            ["THE BANK", "The Road", "The Wood"],
        ),
        (
            f"Contents\n\nPART I\n1\n2\nPART II\n3\n\nPART I\n\n1{_BELOW}\n\n2{_BELOW}\n\nPART II\n\n3{_BELOW}",
            ["1", "2", "3"],
        ),
        (
            f"I. The Bank{_BELOW}\n\nI\n\n{_TEXT}\n\nII\n\n{_TEXT}\n\nII. The Road{_BELOW}\n\nIII. The Wood{_BELOW}",
            _LISTED,
        ),
        (
            f"I{_BELOW}\n\nII{_BELOW}\n\n1\n\n{_TEXT}\n\nIII{_BELOW}\n\nI\n\nsaid he.\n\nIV{_BELOW}",
            ["I", "II", "III", "IV"],
        ),
    ],
    ids=[
        "parts",
        "parts and numbers",
        "titles below",
        "contents",
        "titles of a list",
        "parts listed",
        "sections",
        "stray",
    ],
)
def test_text_around_chapters(text: str, titles: list[str] | None, tmp_path: Path) -> None:
    assert _titles(tmp_path, text) == (titles or ["I. THE EVE OF THE WAR.", "II. THE STAR.", "III. HOME."])


@pytest.mark.parametrize(
    "inserted",
    [
        "1. Knowledge of Literature\n\n2. Knowledge of Botany\n\n3. Knowledge of Law",
        "1. He came.\n\n2. He saw.\n\n3. He won.",
        "I\n\nam here.\n\nI Will Come.",
        "I am here.\n\nI: that is all.",
        "1917\n\n1918\n\n1919",
        "THE END",
        "“STOP THIEF!”\n\nSTOP THIEF!\n\nFIRE!\n\nHELP!",
        "London, May 3rd\n\nMy Dear Margaret\n\nDr. Seward",
        "I\n\nThe curfew tolls,\nThe cattle wind\n\nII\n\nThe ploughman plods,\nAnd all is still",
    ],
)
@pytest.mark.parametrize("page_break", ["\f", "\n\n"], ids=["pages", "no pages"])
def test_lines_that_are_no_chapters(inserted: str, page_break: str, tmp_path: Path) -> None:
    assert not _titles(tmp_path, page_break.join([_TEXT, f"{inserted}\n\n{_TEXT}", _TEXT, _TEXT]))


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("THE FIRST PART", Mark(kind="part", number=1, bare=True)),
        ("Second Narrative: The Clerk", Mark(kind="narrative", number=2, bare=False)),
        ("The Twenty-First Chapter", Mark(kind="chapter", number=21, bare=True)),
        ("BOOK II. CHAPTER IV", Mark(kind="chapter", number=4, bare=True)),
        ("The first part", None),
        ("The Fourth Letter came", None),
        ("first Part", None),
        ("The Tooth Part", None),
    ],
)
def test_marks_of_parts_and_ordinals(line: str, mark: Mark | None) -> None:
    assert mark_of(line) == mark
