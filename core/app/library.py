"""The books of a scope: import, embed, list, remove."""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.domain.book import Book, BookOutline, BookText
from core.ports.book_reader import BookReaderFor
from core.ports.lexical_index import LexicalIndex
from core.ports.repositories import BookRepository
from core.ports.vectors import EmbeddingProvider, PassageIndex, VectorRepository
from core.text.chunking import chunk_pages

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many chunks are done, and how many there are."""

_EMBED_BATCH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBook:
    """A book after its import: whether it was new, and how long it took."""

    book: Book
    is_new: bool
    seconds: float


class Library:
    """What the command line and the platforms do with books.

    `embeddings` and `passages` are both None where nothing is embedded.
    """

    def __init__(
        self,
        *,
        books: BookRepository,
        vectors: VectorRepository,
        lexical: LexicalIndex,
        reader_for: BookReaderFor,
        embeddings: EmbeddingProvider | None,
        passages: PassageIndex | None,
    ) -> None:
        self._books = books
        self._vectors = vectors
        self._lexical = lexical
        self._reader_for = reader_for
        self._embeddings = embeddings
        self._passages = passages

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
        await self.complete(book.book_id, on_progress=on_progress)
        book = await self._books.get(book.book_id)
        return ImportedBook(book=book, is_new=is_new, seconds=round(time.monotonic() - began, 3))

    async def complete(self, book_id: str, *, on_progress: Progress | None = None) -> None:
        """Make the vectors that are missing, then let the dense index take the book in."""
        if self._embeddings is None or self._passages is None:
            return
        book, model_id = await self._books.get(book_id), self._embeddings.model_id
        done = await self._vectors.count(book_id, model_id)
        while batch := await self._vectors.missing(book_id, model_id, limit=_EMBED_BATCH):
            vectors = await self._embeddings.embed([text for _, text in batch])
            await self._vectors.save(model_id, [chunk_id for chunk_id, _ in batch], vectors)
            done += len(batch)
            if on_progress is not None:
                on_progress("embedding", done, book.chunks)
        await self._passages.refresh(book_id)

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
        if self._passages is not None:
            await self._passages.refresh(book_id)

    async def reindex(self, book_id: str, *, on_progress: Progress | None = None) -> None:
        """Build what is derived from SQL anew."""
        await self._lexical.refresh(book_id)
        await self.complete(book_id, on_progress=on_progress)


def content_hash(text: BookText) -> str:
    """Return the hash that tells one text from another: pages and their breaks, nothing of the file's name or form."""
    digest = hashlib.sha256()
    for page in text.pages:
        digest.update(page.text.encode("utf-8", "surrogatepass"))
        digest.update(b"\f")
    return digest.hexdigest()
