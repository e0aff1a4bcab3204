"""Above a quotation stand notes that may be shown at the reader's page, and no others."""

import pytest

from core.domain.book import Book
from core.domain.note import Note, NoteBatch
from tests.unit.world import World, incoming

_NOTES = [
    Note(page=1, text="Ada has a compass of brass in her coat."),
    Note(page=4, text="Somebody takes the compass by night."),
    Note(page=6, text="The magistrate killed the pilot for the compass."),
]


@pytest.fixture
async def book(world: World) -> Book:
    book = await world.add_book()
    await world.notes.replace(book.book_id, _NOTES)
    return book


async def _answer(world: World, book: Book, question: str, position: int | None) -> str:
    await world.reading(position=position, book=book)
    return (await world.quoting_page().execute(incoming(question))).text


async def test_a_note_that_fits_stands_above_the_quotation_with_its_page(world: World, book: Book) -> None:
    text = await _answer(world, book, "Who took the compass by night?", 5)
    above, _, below = text.partition("\n\n")
    assert above == f"**In short** (reading notes, not the book's words): {_NOTES[1].text} (p. 4)"
    assert below.startswith("**p")
    assert "> " in below


@pytest.mark.parametrize("position", range(1, 7))
async def test_no_note_of_an_unread_page_is_shown(world: World, book: Book, position: int) -> None:
    text = await _answer(world, book, "Who killed the pilot for the compass?", position)
    assert [note.page for note in _NOTES if note.text in text and note.page > position] == []
    assert (_NOTES[2].text in text) == (position == 6)


async def test_where_the_questions_words_find_nothing_the_note_leads_to_the_page(world: World, book: Book) -> None:
    await world.notes.replace(book.book_id, [Note(page=5, text="A ripped mitten lies by the tank with the compass.")])
    text = await _answer(world, book, "Whose mitten was ripped?", 5)
    assert text.startswith("**In short**")
    assert "> They found a torn glove beside the cistern." in text


async def test_half_made_notes_and_none_leave_the_answer_as_it_was(world: World, book: Book) -> None:
    with_notes = await _answer(world, book, "Who has the compass?", 5)
    await world.notes.remove(book.book_id)
    without = await _answer(world, book, "Who has the compass?", 5)
    await world.notes.begin(book.book_id, most_tokens=99)
    await world.notes.keep(book.book_id, NoteBatch(first_page=1, last_page=6, notes=tuple(_NOTES)))
    assert await _answer(world, book, "Who has the compass?", 5) == without
    assert with_notes.endswith(without)
    assert with_notes != without
