"""The books of a scope: import, embed, list, remove."""

import asyncio
import hashlib
import logging
import time
from dataclasses import dataclass
from pathlib import Path

from core.app.dense import DenseSearch, Progress
from core.domain.book import Book, BookOutline, BookText
from core.domain.errors import LLMError
from core.ports.book_reader import BookReaderFor
from core.ports.lexical_index import LexicalIndex
from core.ports.repositories import BookRepository
from core.text.chunking import chunk_pages

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBook:
    """A book after its import: whether it was new, and how long it took."""

    book: Book
    is_new: bool
    seconds: float


class Library:
    """What the command line and the platforms do with books."""

    def __init__(
        self, *, books: BookRepository, lexical: LexicalIndex, dense: DenseSearch, reader_for: BookReaderFor
    ) -> None:
        self._books = books
        self._lexical = lexical
        self._dense = dense
        self._reader_for = reader_for

    async def add(
        self,
        path: Path,
        *,
        scope: str,
        title: str | None = None,
        author: str | None = None,
        on_progress: Progress | None = None,
    ) -> ImportedBook:
        """Import a file: searchable as soon as its text is stored, complete when it is embedded.

        Raises:
            BookError: the file cannot be read as a book; nothing is stored.
        """
        began = time.monotonic()
        text = await asyncio.to_thread(lambda: self._reader_for(path).read(path, title=title, author=author))
        chunks = await asyncio.to_thread(chunk_pages, text.pages, text.chapters)
        book, is_new = await self._books.add(
            scope=scope, content_hash=await asyncio.to_thread(content_hash, text), text=text, chunks=chunks
        )
        if not is_new and (title or author):
            await self._books.rename(book.book_id, title=text.title, author=text.author)
        try:
            await self.complete(book.book_id, on_progress=on_progress)
        except LLMError as error:
            _log.warning("%s is searchable; its vectors are not complete: %s", book.title, error)
        book = await self._books.get(book.book_id)
        return ImportedBook(book=book, is_new=is_new, seconds=round(time.monotonic() - began, 3))

    async def complete(self, book_id: str, *, on_progress: Progress | None = None) -> None:
        """Make the vectors that are missing, then let the dense indexes take the book in.

        Raises:
            LLMError: an embedding model cannot be reached; what is done stays done.
        """
        await self._dense.complete(await self._books.get(book_id), on_progress=on_progress)

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""
        return await self._books.in_scope(scope=scope)

    async def find(self, *, scope: str, name: str) -> Book:
        """Look a book up by id, title or unique prefix. Raises BookError."""
        return await self._books.find(scope=scope, name=name)

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book that was imported last, if any."""
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

    async def reindex(self, book_id: str) -> None:
        """Build what is derived from SQL anew, with the vectors that are there."""
        await self._lexical.refresh(book_id)
        await self._dense.refresh(book_id)


def content_hash(text: BookText) -> str:
    """Return the hash that tells one text from another: pages and their breaks, nothing of the file's name or form."""
    digest = hashlib.sha256()
    for page in text.pages:
        digest.update(page.text.encode("utf-8", "surrogatepass"))
        digest.update(b"\f")
    return digest.hexdigest()
