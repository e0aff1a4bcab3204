"""What every NoteRepository does."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.book import Book
from core.domain.edition import PlaceMap
from core.domain.note import Note, NoteBatch, NotesSummary
from core.domain.passage import ReadableSpan
from core.domain.tool_use import TokenUsage
from core.ports.notes import NoteRepository
from tests.builders import STORY, a_book_text
from tests.contracts.stores import Stores

_THEN = datetime(2026, 11, 22, 9, tzinfo=UTC)


@pytest.fixture
def notes(stores: Stores) -> NoteRepository:
    return stores.notes


def _note(page: int, text: str = "Something is told.") -> Note:
    return Note(page=page, text=text, written_by="scripted-1", written_at=_THEN)


def _batch(first: int, last: int, *notes: Note, tokens: int = 10) -> NoteBatch:
    usage = TokenUsage(input_tokens=tokens, output_tokens=1)
    return NoteBatch(first_page=first, last_page=last, notes=notes, usage=usage)


def _up_to(book: Book, last_page: int) -> ReadableSpan:
    return ReadableSpan(book_id=book.book_id, last_page=last_page)


async def _in_use(stores: Stores, book: Book) -> bool:
    return bool((await stores.books.get(book.book_id)).notes_id)


async def test_notes_come_back_as_they_were_given_numbered_in_the_order_of_the_book(
    stores: Stores, notes: NoteRepository
) -> None:
    book, other = await stores.add_book(), await stores.add_book(a_book_text(title="Other"))
    given = [_note(3, "C."), _note(1, "A."), Note(page=3, text="D “Æ” 🙂", moved_from=2)]
    await notes.replace(book.book_id, given)
    expected = [replace(given[1], number=1), replace(given[0], number=1), replace(given[2], number=2)]
    assert await notes.notes(_up_to(book, 6)) == expected
    assert await notes.summary(book.book_id) == NotesSummary(notes=3, pages=2, written_by=("scripted-1",))
    assert await notes.notes(_up_to(other, 6)) == []
    assert (await _in_use(stores, book), await _in_use(stores, other)) == (True, False)


@pytest.mark.parametrize("last_page", range(7))
async def test_only_notes_of_readable_pages_come(stores: Stores, notes: NoteRepository, last_page: int) -> None:
    book = await stores.add_book()
    await notes.replace(book.book_id, [_note(page) for page in range(1, 7)])
    assert [note.page for note in await notes.notes(_up_to(book, last_page))] == [*range(1, last_page + 1)]


async def test_new_notes_take_the_place_of_all_others_and_the_book_shows_it(
    stores: Stores, notes: NoteRepository
) -> None:
    book = await stores.add_book()
    await notes.begin(book.book_id, most_tokens=9)
    await notes.keep(book.book_id, _batch(1, 2, _note(1, "Half.")))
    ids = []
    for text in ("Old.", "New."):
        await notes.replace(book.book_id, [_note(2, text)])
        ids.append((await stores.books.get(book.book_id)).notes_id)
    assert [note.text for note in await notes.notes(_up_to(book, 6))] == ["New."]
    assert len({"", *ids}) == 3
    assert await notes.makings() == []


async def test_removed_notes_are_gone_and_so_are_those_of_a_removed_book(stores: Stores, notes: NoteRepository) -> None:
    book = await stores.add_book()
    await notes.replace(book.book_id, [_note(1), _note(2)])
    assert await notes.remove(book.book_id) == 2
    assert await notes.notes(_up_to(book, 6)) == []
    assert not await _in_use(stores, book)
    await notes.replace(book.book_id, [_note(1)])
    await notes.begin(book.book_id, most_tokens=5)
    await stores.books.remove(book.book_id)
    assert await notes.notes(_up_to(book, 6)) == []
    assert await notes.makings() == []
    assert await notes.keep(book.book_id, _batch(1, 1)) is None
    again = await stores.add_book()
    assert await notes.summary(again.book_id) == NotesSummary()


async def test_what_is_made_is_kept_as_it_goes_and_used_when_it_is_whole(stores: Stores, notes: NoteRepository) -> None:
    book = await stores.add_book()
    begun = await notes.begin(book.book_id, most_tokens=40, asked_in="discord:1:books")
    assert (begun.done, begun.is_spent, begun.pages_left(6)) == ((), False, [1, 2, 3, 4, 5, 6])
    await notes.keep(book.book_id, _batch(4, 6, _note(4, "Later."), tokens=20))
    kept = await notes.keep(book.book_id, _batch(1, 2, _note(1, "Early."), _note(4, "Told too early.")))
    assert kept is not None
    assert (kept.done, kept.pages_left(6)) == (((1, 2), (4, 6)), [3])
    assert (kept.usage, kept.is_spent) == (TokenUsage(input_tokens=30, output_tokens=2), False)
    assert await notes.makings() == [kept]
    assert not await _in_use(stores, book)
    await notes.finish(book.book_id)
    assert await notes.makings() == []
    assert await _in_use(stores, book)
    texts = [(note.page, note.number, note.text) for note in await notes.notes(_up_to(book, 6))]
    assert texts == [(1, 1, "Early."), (4, 1, "Later."), (4, 2, "Told too early.")]


async def test_pages_are_noted_once(stores: Stores, notes: NoteRepository) -> None:
    book = await stores.add_book()
    await notes.begin(book.book_id, most_tokens=99)
    await notes.keep(book.book_id, _batch(1, 3, _note(2, "First.")))
    for first, last in ((1, 3), (3, 4), (2, 2)):
        kept = await notes.keep(book.book_id, _batch(first, last, _note(2, "Second.")))
        assert kept is not None
        assert kept.done == ((1, 3),)
    assert [note.text for note in await notes.notes(_up_to(book, 6))] == ["First."]


async def test_a_copy_has_the_notes_of_its_original_once_they_are_whole(stores: Stores, notes: NoteRepository) -> None:
    original = await stores.add_book()
    await notes.begin(original.book_id, most_tokens=9)
    await notes.keep(original.book_id, _batch(1, 3, _note(2)))
    half, _ = await stores.books.copy(original.book_id, scope="discord:1")
    await notes.finish(original.book_id)
    whole, _ = await stores.books.copy(original.book_id, scope="discord:2")
    assert await notes.notes(_up_to(half, 6)) == []
    assert await notes.notes(_up_to(whole, 6)) == await notes.notes(_up_to(original, 6))
    assert [bool((await stores.books.get(book.book_id)).notes_id) for book in (half, whole)] == [False, True]


async def test_a_book_that_succeeds_another_has_its_notes_never_earlier(stores: Stores, notes: NoteRepository) -> None:
    old = await stores.add_book()
    new = await stores.add_book(a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve"))
    await notes.replace(old.book_id, [_note(1, "One."), _note(6, "Six.")])
    twice = PlaceMap(
        pages_down=tuple(range(0, 13, 2)), pages_up=tuple(range(0, 13, 2)), offset=lambda offset: offset + 50
    )
    assert await stores.books.succeed(old.book_id, new.book_id, twice)
    assert [(note.page, note.text) for note in await notes.notes(_up_to(new, 12))] == [(2, "One."), (12, "Six.")]
    assert await _in_use(stores, new)
