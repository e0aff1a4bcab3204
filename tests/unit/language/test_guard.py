"""The guard as the house uses it: books loaded at first use, few held, positions checked."""

from dataclasses import replace
from typing import ParamSpec, TypeVar

import pytest

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.notes import SqlNoteRepository
from core.domain.book import Book, Page
from core.domain.errors import BookError
from core.domain.note import Note
from core.domain.passage import ReadableSpan
from core.guard.guard import SpoilerGuard
from tests.builders import a_book_text, chunks_of
from tests.memory import memory_books, memory_database

_CONFESSION = "The magistrate confessed in the chapel to everybody who would listen."


class CountingBooks(SqlBookRepository):
    """Counts how often the pages of a book are read; can fail once."""

    def __init__(self) -> None:
        super().__init__(memory_database(), embedding_model_id=None)
        self.reads: list[str] = []
        self.fails = False

    async def pages(self, span: ReadableSpan) -> list[Page]:
        self.reads.append(span.book_id)
        if self.fails:
            self.fails = False
            raise OSError("the disk is away")
        return await super().pages(span)


Given = ParamSpec("Given")
Returned = TypeVar("Returned")


async def _book(books: SqlBookRepository, *more: str) -> Book:
    text = a_book_text((*a_book_text().pages[0].text.split("\f"), _CONFESSION, *more))
    return (await books.add(scope="local", content_hash=str(more), text=text, chunks=chunks_of(text)))[0]


async def test_clubs_that_read_the_same_text_share_what_is_held_of_it() -> None:
    books = CountingBooks()
    guard, book = SpoilerGuard(books=books), await _book(books)
    theirs = replace(book, book_id="b_theirs", scope="discord:2")
    verdicts = [await guard.judge(_CONFESSION, book=each, position=1) for each in (book, theirs)]
    assert verdicts[0] == verdicts[1]
    assert books.reads == [book.book_id]


@pytest.mark.parametrize("position", [-1, 3])
async def test_a_position_outside_the_book_is_refused(position: int) -> None:
    books = memory_books()
    with pytest.raises(BookError):
        await SpoilerGuard(books=books).judge("Ada.", book=await _book(books), position=position)


@pytest.mark.parametrize("position", [None, 0])
async def test_with_nothing_read_the_title_and_the_author_may_be_said(position: int | None) -> None:
    books = memory_books()
    guard, book = SpoilerGuard(books=books), await _book(books)
    assert not (await guard.judge("The Marrow Light is by E. Hale.", book=book, position=position)).leaks
    assert (await guard.judge(_CONFESSION, book=book, position=0)).leaks


@pytest.mark.parametrize(
    ("message", "page"),
    [
        ("I love the ferry at dawn.", None),
        ("They say that Tobias Fenn keeps clocks.", 3),
        ("My copy says: none of his clocks ever agreed with each other or with Ada.", None),
        ("It ends so: Tobias drowned the pilot of the ferry at dawn in winter.", 4),
    ],
)
async def test_a_members_message_is_judged_by_the_rules_alone(message: str, page: int | None) -> None:
    books = memory_books()
    book = await _book(
        books,
        "The lighthouse keeper, Tobias Fenn, kept seven clocks. None of his clocks ever agreed.",
        "Old Tobias drowned the pilot of the ferry at dawn in winter.",
    )
    assert await SpoilerGuard(books=books).revealed_page(message, book=book, position=2) == page


async def test_notes_have_a_say_as_soon_as_they_change_and_none_once_they_are_gone() -> None:
    database = memory_database()
    books, notes = SqlBookRepository(database, embedding_model_id=None), SqlNoteRepository(database)
    guard, book = SpoilerGuard(books=books, notes=notes), await _book(books, "Nothing stood on the last page.")
    said = "The murderer owns up."

    async def score() -> float:
        return (await guard.judge(said, book=await books.get(book.book_id), position=1)).score

    without = await score()
    await notes.replace(book.book_id, _noted(book, ahead="The murderer owns up. He is not sorry."))
    ahead = await score()
    await notes.replace(book.book_id, _noted(book, read="The murderer owns up. He is not sorry."))
    read = await score()
    await notes.remove(book.book_id)
    assert read < without < ahead
    assert await score() == without


def _noted(book: Book, *, read: str = "The day is long.", ahead: str = "The day is long.") -> list[Note]:
    """Two notes on every page; what is said of the first page, and of those after it."""
    return [
        Note(page=page, text=text)
        for page in range(1, book.pages + 1)
        for text in (f"Page {page} goes on.", read if page == 1 else ahead)
    ]
