"""Chapters of plain text books."""

from pathlib import Path

import pytest

from adapters.readers.marks import lone_number, mark_of
from tests.adapters.readers.files import prose, read_back

_TEXT = prose(400)
_THREE = "\n\n".join(f"Chapter {number}\n\n{_TEXT}" for number in ("I", "II", "III"))
_LISTED_WITH_TITLES = f"""Contents

 CHAPTER I.     The Hole
 CHAPTER II.    The Pool
 CHAPTER III.   The Race



CHAPTER I.
The Hole


{_TEXT}

CHAPTER II.
The Pool

{_TEXT}

CHAPTER III.
The Race

{_TEXT}
"""


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Chapter I", 1),
        ("CHAPTER 12. The Shore", 12),
        ("Chapter the Third", 3),
        ("CHAPTER TWENTY-TWO", 22),
        ("Chapter xiv.", 14),
        ("Letter IV", 4),
        ("Book One", 1),
        ("Part II: The Sea", 2),
        ("CHAPTER I. In which nothing happens", 1),
        ("Chapter 3 The Long Road", 3),
        ("Chapter\u00a0IIII", 4),
        ("Chapter No.7", 7),
        ("Book the Last", 0),
        ("Chapter One Hundred and One", 101),
        ("_Chapter IV_", 4),
        ("Prologue", 0),
        ("EPILOGUE.", 0),
        ("Preface", 0),
    ],
)
def test_headings_are_recognised(line: str, number: int) -> None:
    mark = mark_of(line)
    assert mark
    assert mark.number == number


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 12 was the worst that I have ever read.",
        "Chapter after chapter he read on.",
        "Part of the ship was gone.",
        "Part one of the plan was over.",
        "Letter I wrote yesterday",
        "chapter 3",
        "Book II, which he had lost, was found.",
        "Chapter 5. He came. She went. It rained all day.",
        "Prefaces are dull",
        "Chapter ı",
        "Chapter İ",
        "Chapter ıı. The Sea",
        "Epısode 3",
        "Chapter I’ve",
        "Chapter 12345",
        "Chapter 2\nand more",
        f"Chapter 1. {'The Sea ' * 40}",
    ],
)
def test_running_text_is_no_heading(line: str) -> None:
    assert mark_of(line) is None


@pytest.mark.parametrize(
    ("line", "number"), [("IV", 4), ("12.", 12), ("[3]", 3), ("iv", None), ("MIX UP", None), ("İ", None), ("ı", None)]
)
def test_lone_numbers(line: str, number: int | None) -> None:
    assert lone_number(line) == number


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (f"I\n\n{_TEXT}\n\nII\n\n{_TEXT}\n\n1917\n\n{_TEXT}", ["I", "II"]),
        (f"V\n\n{_TEXT}\n\nX\n\n{_TEXT}", []),
        (f"Prologue\n\n{_TEXT}\n\n1\n\n{_TEXT}\n\n2\n\n{_TEXT}", ["Prologue", "1", "2"]),
        (f"Chapter 1\n\n{_TEXT}\n\n1\n\n{_TEXT}\n\n2\n\n{_TEXT}", ["Chapter 1"]),
        (f"THE SHORE\n\n{_TEXT}\n\nTHE SEA\n\n{_TEXT}\n\nTHE SKY\n\n{_TEXT}", ["THE SHORE", "THE SEA", "THE SKY"]),
        (f"THE SHORE\n\n{_TEXT}\n\nTHE SEA\n\n{_TEXT}", []),
        (f"Part I\n\nChapter 1\n\n{_TEXT}\n\nPart II\n\nChapter 2\n\n{_TEXT}", ["Chapter 1", "Chapter 2"]),
        (f"Part I\n\n{_TEXT}\n\nPart II\n\n{_TEXT}", ["Part I", "Part II"]),
        (
            f"PART I\n\nI\n\n{_TEXT}\n\nII\n\n{_TEXT}\n\nPART II\n\nI\n\n{_TEXT}\n\nII\n\n{_TEXT}",
            ["I", "II", "I", "II"],
        ),
        ("Chapter I\n\nChapter II\n\nChapter III\n\n" + _TEXT, []),
        (f"Contents\n\nChapter I\nChapter II\nChapter III\n\n{_THREE}", ["Chapter I", "Chapter II", "Chapter III"]),
        (
            f"CHAPTER I. In which the Hero of this History sets out upon the Road\nto London\n\n{_TEXT}",
            ["CHAPTER I. In which the Hero of this History sets out upon the Road to London"],
        ),
        (_LISTED_WITH_TITLES, ["CHAPTER I: The Hole", "CHAPTER II: The Pool", "CHAPTER III: The Race"]),
        (f"Chapter I\nThe Period\n\n{_TEXT}", ["Chapter I: The Period"]),
        (f"CHAPTER I.\n\nTHE PERIOD.\n\n{_TEXT}", ["CHAPTER I: THE PERIOD"]),
        (f"Letter I\n\nDear Margaret,\n\n{_TEXT}", ["Letter I"]),
        (f"Letter I\n\nTo Mrs. Saville\n\n{_TEXT}", ["Letter I"]),
        (f"Chapter I\n\nLondon, May 3rd, 1851\n\n{_TEXT}", ["Chapter I"]),
        (f"Chapter I\n\nHe ran.\n\n{_TEXT}", ["Chapter I"]),
        (f"Chapter I\n\n“Who Goes There?”\n\n{_TEXT}", ["Chapter I"]),
        (_TEXT, []),
    ],
)
def test_chapters_of_a_text(text: str, titles: list[str], tmp_path: Path) -> None:
    assert [chapter.title for chapter in read_back(tmp_path, text).chapters] == titles


def test_a_chapter_begins_a_page_and_text_before_it_has_no_chapter(tmp_path: Path) -> None:
    book = read_back(tmp_path, f"By me.\n\nChapter 1\n\n{_TEXT}\n\nPart II\n\nChapter 2\n\n{_TEXT}")
    assert [(one.first_page, one.last_page) for one in book.chapters] == [(2, 3), (4, 5)]
    assert book.pages[3].text.startswith("Part II\n\nChapter 2\n\n")
