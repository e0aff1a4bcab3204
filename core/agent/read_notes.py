"""A book's reading notes as far as it has been read: where quotations get what stands above them as "In short"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.caching.book_cache import BookCache
from core.caching.book_memory import MEGABYTE, BookMemory
from core.domain.book import Book
from core.domain.note import Note
from core.domain.passage import readable
from core.domain.position import Position
from core.finders.in_short import NoteWords, chosen
from core.ports.books import BookRepository
from core.ports.guard import Guard
from core.ports.notes import NoteRepository

_MOST_BYTES: Final = 32 * MEGABYTE
"""The words of the notes on ten novels or so."""


class NoteShelf:
    """The notes of the books asked about last, by their words; nothing comes out of it but through the gate."""

    def __init__(
        self, *, books: BookRepository, notes: NoteRepository, guard: Guard, most_bytes: int = _MOST_BYTES
    ) -> None:
        self._books = books
        self._notes = notes
        self._guard = guard
        self._held: BookCache[NoteWords] = BookCache("notes", BookMemory(most_bytes))

    def of(self, book: Book, position: Position) -> "ReadNotes":
        """Return the notes of a book at a position."""
        return ReadNotes(shelf=self, book=book, position=position)

    async def fitting(self, question: str, *, book: Book, position: Position, found: Mapping[int, float]) -> list[Note]:
        """Return the notes of read pages that fit a question and may be shown; none where a book has none in use."""
        if not book.notes_id:
            return []
        words = await self._held.get(book.book_id, book.notes_id, lambda: self._words(book))
        fitting = words.fitting(question, last_page=readable(book, position).last_page, found=found)
        shown = await self._guard.notes_to_show([each.note for each in fitting], book=book, position=position)
        return chosen([each for each in fitting if each.note in shown])

    async def _words(self, book: Book) -> NoteWords:
        return NoteWords(await self._notes.notes(readable(book, book.pages)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNotes:
    """The notes of one book at one position."""

    shelf: NoteShelf
    book: Book
    position: Position

    async def fitting(self, question: str, found: Mapping[int, float]) -> list[Note]:
        """Return up to three notes that fit a question, in the order of the book; `found` are pages and shares."""
        return await self.shelf.fitting(question, book=self.book, position=self.position, found=found)
