"""The books of a scope: import, embed, list, remove."""

import asyncio
import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from core.answering.dense import DenseSearch, Progress
from core.catalogue.sentences import say, say_count, sentence
from core.domain.book import Book, BookEdit, BookOutline, BookText
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode, LLMError, ThusfarError
from core.domain.folding import folded
from core.domain.passage import whole_text
from core.domain.reading import Reading
from core.language.alignment import TextAlignment
from core.language.chunking import chunk_pages
from core.language.scripts import language_without_spaces
from core.library.works import joined, text_length, works_of
from core.ports.book_reader import BookReaderFor
from core.ports.books import BookRepository
from core.ports.index_files import IndexFiles
from core.ports.lexical_index import LexicalIndex

_log = logging.getLogger(__name__)

_NOT_INDEXED = sentence(
    "I couldn't index {title}, so I haven't kept it. The person who runs this bot can see why in the log."
)
_SAME_TEXT = 0.3
"""Least likeness of two imports of a title that count as the same book; different books have almost none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBook:
    """An imported book: whether it is new, how many seconds the import took, and whether it replaces an earlier one."""

    book: Book
    is_new: bool
    seconds: float
    replaces: bool = False


class Library:
    """Imports, edits, lists and removes books, for the command line and the platforms."""

    def __init__(
        self,
        *,
        books: BookRepository,
        lexical: LexicalIndex,
        dense: DenseSearch,
        reader_for: BookReaderFor,
        derived: "Derived | None" = None,
    ) -> None:
        self._books = books
        self._lexical = lexical
        self._dense = dense
        self._reader_for = reader_for
        self._derived = derived

    async def add(
        self,
        path: Path,
        *,
        scope: str,
        title: str | None = None,
        author: str | None = None,
        on_progress: Progress | None = None,
        takes_place: bool = True,
    ) -> ImportedBook:
        """Import a file. The book is searchable once its text is stored, and complete once it is embedded.

        With `takes_place`, the book replaces earlier imports of the same title with nearly the same text, and everyone
        keeps their place in the text. Without it, a member has to be asked first.

        Raises:
            BookError: the file can't be read as a book or can't be indexed; nothing is stored.
        """
        began = time.monotonic()
        tell = None if on_progress is None else partial(on_progress, sentence("reading"))
        text = await self._reader_for(path).read(path, title=title, author=author, on_progress=tell)
        await asyncio.to_thread(_require_spaces, text)
        book, is_new = await self.store(replace(text, works=works_of(text)), scope=scope, on_progress=on_progress)
        if not is_new and (title or author):
            await self._books.edit(book.book_id, BookEdit(title=text.title, author=text.author))
        replaces = takes_place and await self.take_place(book.book_id)
        book = await self._books.get(book.book_id)
        return ImportedBook(book=book, is_new=is_new, replaces=replaces, seconds=round(time.monotonic() - began, 3))

    async def store(self, text: BookText, *, scope: str, on_progress: Progress | None = None) -> tuple[Book, bool]:
        """Store and index a text; return its book, and whether it is new. Raises BookError if it can't be indexed."""
        chunks = await asyncio.to_thread(chunk_pages, text.pages, text.chapters)
        book, is_new = await self._books.add(
            scope=scope, content_hash=await asyncio.to_thread(content_hash, text), text=text, chunks=chunks
        )
        try:
            await self._index(book, on_progress)
        except Exception as error:
            if is_new:
                await self.remove(book.book_id)
            if isinstance(error, ThusfarError):
                raise
            _log.exception("%s could not be indexed.", book.title)
            raise BookError(BookErrorCode.UNREADABLE, say(_NOT_INDEXED, title=book.title)) from error
        return book, is_new

    async def _index(self, book: Book, on_progress: Progress | None) -> None:
        try:
            await self.complete(book.book_id, on_progress=on_progress)
        except LLMError as error:
            _log.warning("%s is searchable; its vectors are not complete: %s", book.title, error)
        if self._derived is not None:
            await self._derived.prepare(book)

    async def edit(self, book_id: str, edit: BookEdit) -> Book:
        """Change the metadata of a book.

        Raises:
            BookError: it has no such page or chapter, or the title is empty; nothing has changed.
        """
        check_edit(edit, await self._books.outline(book_id))
        await self._books.edit(book_id, edit)
        return await self._books.get(book_id)

    async def share(self, book_id: str, *, scope: str) -> ImportedBook:
        """Copy a book to another scope, where it is independent. Raises LLMError like `complete`."""
        began = time.monotonic()
        copied, is_new = await self._books.copy(book_id, scope=scope)
        await self.complete(copied.book_id)
        book = await self._books.get(copied.book_id)
        return ImportedBook(book=book, is_new=is_new, seconds=round(time.monotonic() - began, 3))

    async def complete(self, book_id: str, *, on_progress: Progress | None = None) -> None:
        """Make a book's missing vectors, and load them into the dense indexes.

        Raises:
            LLMError: an embedding model cannot be reached; finished vectors stay stored.
        """
        await self._dense.complete(await self._books.get(book_id), on_progress=on_progress)

    async def complete_notes(self, book_id: str, *, on_progress: Progress | None = None) -> None:
        """Make the missing vectors of a book's reading notes, as `complete` does too. Raises LLMError."""
        await self._dense.complete_notes(await self._books.get(book_id), on_progress=on_progress)

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""
        return await self._books.in_scope(scope=scope)

    async def find(self, *, scope: str, name: str) -> Book:
        """Return the book that a name means. Raises BookError."""
        return await self._books.find(scope=scope, name=name)

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book that was imported last; None if there is none."""
        return await self._books.latest(scope=scope)

    async def get(self, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""
        return await self._books.get(book_id)

    async def outline(self, book_id: str) -> BookOutline:
        """Return page count, labels and chapters."""
        return await self._books.outline(book_id)

    async def remove(self, book_id: str) -> None:
        """Delete a book from the store and the indexes."""
        await self._books.remove(book_id)
        await self._lexical.refresh(book_id)
        await self._dense.refresh(book_id)
        await self.tidy_up()

    async def tidy_up(self) -> None:
        """Delete indexes of texts that no longer exist."""
        if self._derived is not None:
            await self._derived.tidy_up()

    async def reindex(self, book_id: str) -> None:
        """Build the indexes of a book again from the database, with the stored vectors."""
        await self._lexical.refresh(book_id)
        await self._dense.refresh(book_id)

    async def earlier(self, book_id: str) -> list[Book]:
        """Return the earlier imports of a book's title with nearly the same text."""
        book = await self._books.get(book_id)
        others = await self._books.in_scope(scope=book.scope)
        named = [other for other in others if other.book_id != book.book_id and _same_name(book, other)]
        return [other for other in named if (await self._alignment(book, other)).likeness >= _SAME_TEXT]

    async def take_place(self, book_id: str) -> bool:
        """Replace earlier imports of a book's title; return whether one was replaced."""
        book = await self._books.get(book_id)
        succeeded = [await self._succeeds(book, other) for other in await self.earlier(book_id)]
        return any(succeeded)

    async def join(self, first: Book, then: Book) -> Book:
        """Join two books, or series, of a scope as one series, and return it; both books stay.

        Raises:
            BookError: both are the same book, or the series can't be indexed.
        """
        if first.book_id == then.book_id:
            raise BookError(BookErrorCode.NOT_FOUND, say("A series needs two different books."))
        text = joined(await self._text(first), await self._text(then))
        series, is_new = await self.store(text, scope=first.scope)
        if is_new:
            await self._books.join_notes(series.book_id, {first.book_id: 0, then.book_id: first.pages})
        return await self._books.get(series.book_id)

    async def continue_in(self, reading: Reading, series: Book, *, after: Book | None) -> bool:
        """Let a reading continue in a series, in which its book follows the pages of another; None for the first.

        Returns False, and changes nothing, where the club reads both already.
        """
        before = after.pages if after else 0
        pages = (await self._books.get(reading.book_id)).pages
        offset = 0 if after is None else text_length(await self._text(after)) + 1
        moved = tuple(range(before, before + pages + 1))
        places = PlaceMap(pages_down=moved, pages_up=moved, offset=offset.__add__)
        return await self._books.continue_in(reading.reading_id, series.book_id, places)

    async def _text(self, book: Book) -> BookText:
        """Return the text of a stored book, as its reader gave it."""
        outline = await self._books.outline(book.book_id)
        return BookText(
            title=book.title,
            author=book.author,
            pages=tuple(await self._books.pages(whole_text(book))),
            chapters=outline.chapters,
            page_source=book.page_source,
            first_story_page=book.first_story_page,
            last_story_page=book.last_story_page,
            outside=outline.outside,
            works=outline.works,
        )

    async def _succeeds(self, book: Book, earlier: Book) -> bool:
        """Replace an earlier book by this one; return whether it was replaced."""
        alignment = await self._alignment(book, earlier)
        places = await asyncio.to_thread(alignment.places)
        if not await self._books.succeed(earlier.book_id, book.book_id, places):
            return False
        await self.reindex(earlier.book_id)
        await self.tidy_up()
        return True

    async def _alignment(self, book: Book, earlier: Book) -> TextAlignment:
        pages = [await self._books.pages(whole_text(each)) for each in (earlier, book)]
        return await asyncio.to_thread(TextAlignment, *pages)


def check_edit(edit: BookEdit, outline: BookOutline) -> None:
    """Check that an edit is valid for a book. Raises BookError if it is not."""
    if edit.title is not None and not edit.title.strip():
        raise BookError(BookErrorCode.EMPTY, say("A book needs a title."))
    first = edit.first_story_page or outline.first_story_page
    last = edit.last_story_page or outline.story_end
    if not 1 <= first <= last <= outline.pages:
        told = say("The story begins and ends on pages 1 to {last}, in this order.", last=outline.pages)
        raise BookError(BookErrorCode.PAGE_OUT_OF_RANGE, told)
    known = {chapter.number for chapter in outline.chapters}
    if not known.issuperset(edit.chapter_titles):
        told = say_count(
            "This book has {number} chapter; `books show` lists them.",
            "This book has {number} chapters; `books show` lists them.",
            len(known),
        )
        raise BookError(BookErrorCode.NOT_FOUND, told)


def _require_spaces(text: BookText) -> None:
    story = text.pages[text.first_story_page - 1 : text.last_story_page]
    language = language_without_spaces(page.text for page in story)
    if language is not None:
        told = say("I can't read {language} well enough yet to keep it spoiler-free.", language=say(language))
        raise BookError(BookErrorCode.UNREADABLE, told)


def _same_name(one: Book, other: Book) -> bool:
    names = [folded(book.title) for book in (one, other)]
    authors = {folded(book.author) for book in (one, other) if book.author}
    return names[0] == names[1] and len(authors) < len((one, other))


def content_hash(text: BookText) -> str:
    """Return the hash of a text: of its pages and their breaks, independent of the file's name and format."""
    digest = hashlib.sha256()
    for page in text.pages:
        digest.update(page.text.encode("utf-8", "surrogatepass"))
        digest.update(b"\f")
    return digest.hexdigest()


class Prepared(Protocol):
    """An index that is built for each book."""

    async def prepare(self, book: Book) -> None:
        """Build the index of a book and store it, before the first question."""


class Derived:
    """The computed indexes of books: built when a book is imported, deleted when its text is gone."""

    def __init__(self, *, books: BookRepository, files: IndexFiles, indexes: Sequence[Prepared]) -> None:
        self._books = books
        self._files = files
        self._indexes = indexes

    async def prepare(self, book: Book) -> None:
        """Build the indexes of a book."""
        for index in self._indexes:
            await index.prepare(book)

    async def tidy_up(self) -> None:
        """Delete the indexes of texts that no scope has any more."""
        there = await self._books.content_hashes()
        await asyncio.to_thread(self._files.keep_only, there)
