"""Notes come in whole or not at all, each where the book's text tells it first, and go out for other clubs."""

import json

import pytest

from core.domain.book import Book
from core.domain.errors import BookError, ThusfarError
from core.domain.passage import readable
from core.library.notes import Notes
from tests.builders import STORY, a_book_text
from tests.unit.world import World


@pytest.fixture
def notes(world: World) -> Notes:
    return Notes(books=world.books, notes=world.notes, guard=world.guard)


@pytest.fixture
async def book(world: World) -> Book:
    return await world.add_book()


def _file(*notes: tuple[int, str]) -> str:
    return "\n".join(json.dumps({"page": page, "note": text}) for page, text in notes)


async def _kept(world: World, book: Book) -> list[tuple[int, str, int | None]]:
    held = await world.notes.notes(readable(book, book.pages))
    return [(note.page, note.text, note.moved_from) for note in held]


async def test_a_file_takes_the_place_of_all_notes(notes: Notes, book: Book, world: World) -> None:
    await notes.take(_file((1, "Old.")), book=book)
    taken = await notes.take(_file((2, "Two."), (1, "One."), (9, "Nine.")), book=book)
    assert (taken.notes, taken.pages, taken.moved) == (2, 2, 0)
    assert [(one.line, one.reason) for one in taken.left_out] == [(3, "this book has pages 1 to 6")]
    assert await _kept(world, book) == [(1, "One.", None), (2, "Two.", None)]


async def test_what_tells_of_later_pages_goes_there(notes: Notes, book: Book, world: World) -> None:
    world.guard.leaking["magistrate"] = 5
    taken = await notes.take(_file((1, "The magistrate did it."), (2, "Tobias has clocks.")), book=book)
    assert (taken.notes, taken.moved) == (2, 1)
    assert await _kept(world, book) == [(2, "Tobias has clocks.", None), (5, "The magistrate did it.", 1)]


@pytest.mark.parametrize("text", ["", "no JSON", _file((7, "Seven."))])
async def test_a_file_without_any_note_of_the_book_changes_nothing(
    notes: Notes, book: Book, world: World, text: str
) -> None:
    await notes.take(_file((1, "Old.")), book=book)
    with pytest.raises(ThusfarError, match="Nothing has changed"):
        await notes.take(text, book=book)
    assert await _kept(world, book) == [(1, "Old.", None)]


async def test_what_goes_out_finds_its_pages_in_another_edition(notes: Notes, book: Book, world: World) -> None:
    world.guard.leaking["magistrate"] = 5
    await notes.take(_file((1, "The magistrate did it."), (2, "Tobias has clocks."), (6, "All is told.")), book=book)
    lines = await notes.lines(book)
    assert [json.loads(line)["page"] for line in lines] == [1, 2, 6]
    world.guard.leaking.clear()
    joined = a_book_text([" ".join(STORY[:2]), " ".join(STORY[2:4]), " ".join(STORY[4:])], title="Three pages")
    other = await world.add_book(joined)
    taken = await notes.take("\n".join(lines), book=other)
    assert taken.left_out == ()
    assert await _kept(world, other) == [
        (1, "The magistrate did it.", None),
        (1, "Tobias has clocks.", None),
        (3, "All is told.", None),
    ]


async def test_notes_are_looked_at_page_by_page_and_removed(notes: Notes, book: Book) -> None:
    await notes.take(_file((1, "One."), (2, "Two."), (2, "More.")), book=book)
    assert [(note.number, note.text) for note in await notes.on_page(book, 2)] == [(1, "Two."), (2, "More.")]
    assert await notes.on_page(book, 3) == []
    with pytest.raises(BookError):
        await notes.on_page(book, 7)
    assert (await notes.summary(book.book_id)).notes == 3
    assert await notes.remove(book) == 3
    with pytest.raises(ThusfarError, match="has no notes"):
        await notes.lines(book)
