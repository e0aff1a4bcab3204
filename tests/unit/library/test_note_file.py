"""A file of notes is read line by line; what is no note, or fits no page, is told and left out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.note_file import GivenNote, parsed, placed
from tests.builders import STORY, a_book_text

_PAGES = a_book_text().pages


def _line(**fields: object) -> str:
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no JSON", "this line is no JSON"),
        ("[" * 100_000, "this line is no JSON"),
        ("[1]", "a line is an object"),
        (_line(note="A."), "`page` is a whole number"),
        (_line(page=0, note="A."), "`page` is a whole number"),
        (_line(page=True, note="A."), "`page` is a whole number"),
        (_line(page="1", note="A."), "`page` is a whole number"),
        (_line(page=1), "`note` is a text"),
        (_line(page=1, note="  "), "`note` is a text"),
        (_line(page=1, note=7), "`note` is a text"),
        (_line(page=1, note="x" * 501), "at most 500 characters"),
        (_line(page=1, note="half \ud800"), "halves of characters"),
        (_line(page=1, note="nul \x00"), "halves of characters"),
        (_line(page=1, note="A.", anchor=3), "`anchor` is a text"),
        (_line(page=1, note="A.", anchor="x" * 501), "anchor is too long"),
    ],
)
def test_a_line_that_is_no_note_is_told_with_its_number(line: str, reason: str) -> None:
    notes, (left_out,) = parsed(f"{_line(page=1, note='A.')}\n\n{line}")
    assert [(note.line, note.text) for note in notes] == [(1, "A.")]
    assert left_out.line == 3
    assert reason in left_out.reason


@given(st.text())
def test_any_text_is_notes_or_reasons(text: str) -> None:
    notes, left_out = parsed(text)
    assert len(notes) + len(left_out) == sum(bool(line.strip()) for line in text.splitlines())


def _placed(*notes: GivenNote) -> list[int | str]:
    return [one.page if isinstance(one, GivenNote) else one.reason for one in placed(notes, _PAGES)]


def _note(page: int, anchor: str | None = None) -> GivenNote:
    return GivenNote(line=1, page=page, text="A.", anchor=anchor)


def test_in_another_edition_a_page_alone_says_nothing() -> None:
    assert _placed(_note(30, "kept seven clocks"), _note(3)) == [
        2,
        "it has no anchor, and the pages are another edition's",
    ]
    assert _placed(_note(2, "kept seven clocks"), _note(3)) == [2, 3]


def test_of_several_places_an_anchor_means_the_one_between_its_neighbours() -> None:
    pages = a_book_text([STORY[0], STORY[1], STORY[2], STORY[0], STORY[3]]).pages
    again, second, last = "left Marrow Quay at dawn", "kept seven clocks", "Only the window stood open"
    notes = [_note(1, second), _note(2, again), _note(3, last), _note(4, again)]
    found = [one.page if isinstance(one, GivenNote) else one.reason for one in placed(notes, pages)]
    assert found == [2, 4, 5, "its anchor stands in several places"]
