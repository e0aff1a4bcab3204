"""What is worked out of the books' texts: made when a book is imported, erased when it is gone."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from core.domain.book import Book
from core.ports.books import BookRepository
from core.ports.index_files import IndexFiles


class Prepared(Protocol):
    """What holds an index of each book."""

    async def prepare(self, book: Book) -> None:
        """Have the index of a book at hand, and kept in a file, before anybody asks."""


class Derived:
    """Prepares the indexes of books, and erases those of texts that are no longer there."""

    def __init__(self, *, books: BookRepository, files: IndexFiles, indexes: Sequence[Prepared]) -> None:
        self._books = books
        self._files = files
        self._indexes = indexes

    async def prepare(self, book: Book) -> None:
        """Make the indexes of a book."""
        for index in self._indexes:
            await index.prepare(book)

    async def tidy_up(self) -> None:
        """Erase what was made of texts that no scope has any more."""
        there = await self._books.content_hashes()
        await asyncio.to_thread(self._files.keep_only, there)
