"""The guard as the house uses it: books loaded at first use, few held, positions checked."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
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


class CountingThreads(ThreadPoolExecutor):
    """Counts how often work is handed to a thread."""

    def __init__(self) -> None:
        super().__init__(max_workers=1)
        self.handed_over = 0

    def submit(self, work: Callable[Given, Returned], /, *given: Given.args, **named: Given.kwargs) -> Future[Returned]:
        self.handed_over += 1
        return super().submit(work, *given, **named)


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


@pytest.mark.parametrize(("times", "handed_over"), [(1, 0), (500, 2)], ids=["short", "long"])
async def test_only_a_long_text_is_handed_to_a_thread_once_its_book_is_held(times: int, handed_over: int) -> None:
    books = memory_books()
    guard, book = SpoilerGuard(books=books), await _book(books)
    await guard.judge(_CONFESSION, book=book, position=1)
    threads = CountingThreads()
    asyncio.get_running_loop().set_default_executor(threads)
    text = " ".join([_CONFESSION] * times)
    judged = await guard.judge(text, book=book, position=1)
    revealed = await guard.revealed_page(text, book=book, position=1)
    assert threads.handed_over == handed_over
    assert [sentence.leaks for sentence in judged.sentences] == [True] * times
    assert revealed == 2


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


async def test_a_note_that_was_moved_has_no_say() -> None:
    database = memory_database()
    books, notes = SqlBookRepository(database, embedding_model_id=None), SqlNoteRepository(database)
    guard, book = SpoilerGuard(books=books, notes=notes), await _book(books)
    scores = []
    for moved_from in (None, 1):
        more = Note(page=2, text="The murderer owns up.", moved_from=moved_from)
        await notes.replace(book.book_id, [*_noted(book), more])
        held = await books.get(book.book_id)
        scores.append((await guard.judge("The murderer owns up.", book=held, position=1)).score)
    assert scores[1] < scores[0]


async def test_without_a_place_for_notes_the_text_alone_is_looked_at() -> None:
    database = memory_database()
    books = SqlBookRepository(database, embedding_model_id=None)
    book = await _book(books)
    await SqlNoteRepository(database).replace(book.book_id, _noted(book, ahead="The murderer owns up."))
    book = await books.get(book.book_id)
    assert book.notes_id
    found = await SpoilerGuard(books=books).judge("The murderer owns up.", book=book, position=1)
    assert found == await SpoilerGuard(books=books).judge(
        "The murderer owns up.", book=replace(book, notes_id=""), position=1
    )


def _noted(book: Book, *, read: str = "The day is long.", ahead: str = "The day is long.") -> list[Note]:
    """Two notes on every page; what is said of the first page, and of those after it."""
    return [
        Note(page=page, text=text)
        for page in range(1, book.pages + 1)
        for text in (f"Page {page} goes on.", read if page == 1 else ahead)
    ]
