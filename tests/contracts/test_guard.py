"""What every Guard does."""

from dataclasses import replace

import pytest

from core.domain.book import Book
from core.domain.note import Note
from core.domain.verdict import Signal
from core.guard.guard import SpoilerGuard
from core.ports.books import BookRepository
from core.ports.guard import Guard
from tests.builders import a_book_text, chunks_of
from tests.fakes.guard import MarkedGuard
from tests.memory import memory_books

_READ = 2
_TALK = "That is a good question. I like it."


@pytest.fixture
async def books() -> BookRepository:
    books = memory_books()
    text = a_book_text()
    await books.add(scope="local", content_hash="one", text=text, chunks=chunks_of(text))
    return books


@pytest.fixture
async def book(books: BookRepository) -> Book:
    (book,) = await books.in_scope(scope="local")
    return book


@pytest.fixture
def unread() -> str:
    """A sentence of eight words and more that stands on an unread page alone."""
    return next(page.text for page in a_book_text().pages if page.number > _READ)


@pytest.fixture(params=["marked", "spoiler"])
def guard(request: pytest.FixtureRequest, books: BookRepository, unread: str) -> Guard:
    if request.param == "marked":
        return MarkedGuard(leaking={unread: _READ + 1})
    return SpoilerGuard(books=books)


async def test_talk_does_not_leak(guard: Guard, book: Book) -> None:
    assert not (await guard.judge(_TALK, book=book, position=_READ)).leaks


async def test_a_message_that_quotes_an_unread_page_reveals_it(guard: Guard, book: Book, unread: str) -> None:
    assert await guard.revealed_page(unread, book=book, position=_READ) == _READ + 1
    assert await guard.revealed_page(unread, book=book, position=book.pages) is None
    assert await guard.revealed_page(_TALK, book=book, position=_READ) is None


async def test_a_note_stands_where_the_book_tells_it_first(guard: Guard, book: Book, unread: str) -> None:
    told = Note(page=1, text="The ferry left Marrow Quay at dawn.")
    ahead = Note(page=1, text=unread)
    assert [place.page for place in await guard.place_notes([told, ahead], book=book)] == [1, _READ + 1]
    assert await guard.place_notes([], book=book) == []


async def test_only_notes_that_tell_nothing_ahead_are_shown(guard: Guard, book: Book, unread: str) -> None:
    told = Note(page=1, text="Ada Lindqvist carries a brass compass in her coat.")
    others = [
        Note(page=1, text=unread),
        Note(page=_READ + 1, text="Tobias Fenn hides it."),
        replace(told, moved_from=1),
    ]
    assert await guard.notes_to_show([told, *others], book=book, position=_READ) == [told]
    assert await guard.notes_to_show([told], book=book, position=0) == []
    assert await guard.notes_to_show([told], book=book, position=None) == []


async def test_a_post_gives_away_what_lies_between_its_thread_and_its_writers_page(
    guard: Guard, book: Book, unread: str
) -> None:
    async def signal(text: str, *, own_page: int, position: int = _READ) -> Signal | None:
        return await guard.gives_away(text, book=book, position=position, own_page=own_page)

    assert await signal(unread, own_page=_READ + 1) is not None
    assert await signal(unread, own_page=_READ) is None
    assert await signal(unread, own_page=_READ + 3, position=_READ + 1) is None
    assert await signal(_TALK, own_page=_READ + 3) is None
