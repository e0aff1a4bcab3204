"""Which notes a model is given beside passages: those that fit, or some of each stretch that is to be told."""

import pytest

from core.answering.extracts.read_text import ReadText
from core.answering.notes import as_material, spread, stretches
from core.domain.book import Chapter
from core.domain.note import Note
from tests.unit.meant import kind_of

_CHAPTERS = [
    Chapter(number=1, title="One", first_page=1, last_page=10),
    Chapter(number=2, title="Two", first_page=11, last_page=20),
    Chapter(number=3, title="Three", first_page=21, last_page=40),
]


@pytest.mark.parametrize(("count", "pages"), [(3, [1, 2, 3]), (4, [1, 2, 3, 4]), (10, [1, 4, 7, 10])])
def test_a_stretch_is_told_evenly(count: int, pages: list[int]) -> None:
    notes = [Note(page=page, text="So.") for page in range(1, count + 1)]
    assert [note.page for note in spread(notes, most=4)] == pages


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What happened so far?", [(1, 10), (11, 25)]),
        ("What happened in chapter 1?", [(1, 10)]),
        ("What happened in this chapter?", [(21, 25)]),
        ("What happened in chapter 4?", []),
        ("What just happened?", [(23, 25)]),
        ("Who is Ada?", []),
        ("Why did she leave?", []),
    ],
)
def test_a_recap_gets_the_pages_that_it_asks_for_and_no_unread_one(question: str, wanted: list[object]) -> None:
    read = ReadText(pages=(), chapters=_CHAPTERS)
    assert stretches(kind_of(question), read, last_page=25) == wanted
    assert stretches(kind_of(question), read, last_page=0) == []


def test_notes_are_marked_as_what_they_are() -> None:
    assert as_material([]) == ""
    told = as_material([Note(page=4, text="It is gone.")])
    assert "not the book's words" in told
    assert told.endswith("\n- (note on p. 4) It is gone.")
