"""Which notes a model is given beside passages: those that fit, or some of each stretch that is to be told."""

import pytest

from core.answering.extracts.read_text import ReadText
from core.answering.notes import as_material, stretches
from core.domain.book import Chapter
from core.domain.note import Note
from tests.builders import a_book_text
from tests.unit.meant import kind_of
from tests.unit.world import World

_CHAPTERS = [
    Chapter(number=1, title="One", first_page=1, last_page=10),
    Chapter(number=2, title="Two", first_page=11, last_page=20),
    Chapter(number=3, title="Three", first_page=21, last_page=40),
]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What happened so far?", [(1, 10), (11, 20), (21, 25)]),
        ("What happened in chapter 1?", [(1, 10)]),
        ("What happened in this chapter?", [(21, 25)]),
        ("What happened in chapter 4?", []),
        ("What just happened?", [(23, 25)]),
        ("Who is Ada?", []),
        ("Why did she leave?", []),
    ],
)
def test_a_recap_gets_the_pages_that_it_asks_for_and_no_unread_one(question: str, wanted: list[object]) -> None:
    pages = a_book_text(["So it was."] * 25).pages
    assert stretches(kind_of(question), ReadText(pages, _CHAPTERS)) == wanted
    assert stretches(kind_of(question), ReadText(())) == []


async def test_a_whole_range_is_told_by_each_chapter_and_most_of_the_last_ones() -> None:
    world = World()
    book = await world.add_book(a_book_text([f"Ada saw thing{n} and left." for n in range(1, 41)], chapters=_CHAPTERS))
    every = [
        Note(page=page, text=f"Ada finds thing{page} and takes it{at}.") for page in range(1, 41) for at in range(4)
    ]
    await world.notes.replace(book.book_id, every)
    (book,) = await world.books.in_scope(scope="discord:1")
    ranges = [(1, 10), (11, 20), (21, 30)]
    for position in (25, 40):
        told = await world.note_shelf.telling(ranges, book=book, position=position)
        counts = [sum(first <= note.page <= last for note in told) for first, last in ranges]
        assert counts == [1, 3, 3]
        assert max(note.page for note in told) <= position
        assert told == sorted(told, key=lambda note: (note.page, note.number))
    assert await world.note_shelf.telling(ranges, book=book, position=0) == []


async def test_a_note_that_may_not_be_shown_is_replaced_by_the_next_best() -> None:
    world = World()
    book = await world.add_book(a_book_text())
    await world.notes.replace(
        book.book_id, [Note(page=1, text="Ada waits."), Note(page=1, text="Ada drowns the pilot.")]
    )
    (book,) = await world.books.in_scope(scope="discord:1")
    assert [note.number for note in await world.note_shelf.telling([(1, 1)], book=book, position=2, most=1)] == [2]
    world.guard.leaking["drowns"] = 6
    assert [note.number for note in await world.note_shelf.telling([(1, 1)], book=book, position=2, most=1)] == [1]


def test_notes_are_marked_as_what_they_are() -> None:
    assert as_material([]) == ""
    told = as_material([Note(page=4, text="It is gone.")])
    assert "not the book's words" in told
    assert told.endswith("\n- (note on p. 4) It is gone.")
