"""A book as far as it has been read, its text and its reading notes: all that tools, quotations and prompts get of it.

All of it comes through one gate. Notes stand above a quotation, and go to a model beside its passages.
"""

from bisect import bisect_right
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.answering.extracts.in_short import FittingNote, NoteWords, chosen, chosen_alike
from core.answering.extracts.note_material import MOST_OF_STRETCH, near, spread
from core.answering.extracts.read_text import ReadText, folded_bytes
from core.domain.book import Book, Chapter
from core.domain.note import Note
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.language.book_memory import MEGABYTE, BookCache, BookMemory, Held
from core.ports.books import BookRepository
from core.ports.guard import Guard
from core.ports.notes import NoteRepository
from core.ports.word_traces import Traces, WordTraces

_MOST_BYTES: Final = 32 * MEGABYTE
"""The words of the notes on ten novels or so."""
_SPARE: Final = 2
"""Of a stretch of pages so many times as many notes are looked at as may go along: some may not be shown."""

NearNotes = Callable[[ReadableSpan, str], Awaitable[Sequence[tuple[int, float]]]]
"""Tells which notes of the pages read, counted from 0, are like a question, nearest first; none where nothing knows."""


class PageCache:
    """Keeps the pages of the books used last, a text once however many clubs read it: a club asks more than once.

    What is kept goes as far as the furthest of them has read; who has read less gets that much of it.
    """

    def __init__(self, memory: BookMemory | None = None) -> None:
        self._held: Held[ReadText] = Held("pages", memory)

    async def pages(self, books: BookRepository, book: Book, span: ReadableSpan) -> ReadText:
        """Return the pages of a span of a book, without chapters: titles may be mended at any time."""
        held = self._held.find(book.content_hash)
        if held is None or held.last_page < span.last_page or held.first_page != span.first_page:
            pages = await books.pages(span)
            held = ReadText(pages, letters=[folded_bytes(page.text) for page in pages])
            self._held.keep(book.content_hash, held)
        read = bisect_right(held.pages, span.last_page, key=lambda page: page.number)
        return held if read == len(held.pages) else ReadText(held.pages[:read], letters=held.letters[:read])


@dataclass(kw_only=True)
class ReadBook:
    """A book at a position. `begun` are the chapters that are begun there, where somebody has looked already.

    `index` tells where the words of a question leave a trace; without it, words are compared as they are written.
    """

    books: BookRepository
    book: Book
    position: Position
    begun: Sequence[Chapter] | None = None
    shelf: PageCache = field(default_factory=PageCache)
    index: WordTraces | None = None

    async def is_finished(self) -> bool:
        """Whether the story is read to its end."""
        return (self.position or 0) >= (await self.books.outline(self.book.book_id)).story_end

    async def text(self) -> ReadText:
        """Return the pages read and the chapters begun."""
        pages = await self.shelf.pages(self.books, self.book, readable(self.book, self.position))
        return replace(pages, chapters=await self.chapters(), letters=pages.folded)

    async def chapters(self) -> list[Chapter]:
        """Return the chapters begun: of those that are not, nothing is told."""
        chapters = self.begun
        if chapters is None:
            chapters = (await self.books.outline(self.book.book_id)).chapters
        span = readable(self.book, self.position)
        return [each for each in chapters if each.first_page <= span.last_page and each.last_page >= span.first_page]

    async def traces(self, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return where the words of a question leave a trace on some runs of pages; None where nobody can tell."""
        if self.index is None:
            return None
        return await self.index.traces(readable(self.book, self.position), query, runs)

    async def passages(self, *pages: int) -> tuple[SearchResult, ...]:
        """Return what stands on some pages as passages, in the order of the book; of an unread page, nothing."""
        chunks = await self.books.chunks_of_pages(readable(self.book, self.position), pages)
        return tuple(chunk.found() for chunk in chunks)


class NoteShelf:
    """The notes of the books asked about last, by their words; nothing comes out of it but through the gate.

    `near` finds those that stand above a quotation by what they mean, where an embedding model is at hand.
    """

    def __init__(
        self,
        *,
        books: BookRepository,
        notes: NoteRepository,
        guard: Guard,
        near: NearNotes | None = None,
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._books = books
        self._notes = notes
        self._guard = guard
        self._near = near
        self._held: BookCache[NoteWords] = BookCache("notes", BookMemory(most_bytes))

    def of(self, book: Book, position: Position) -> "ReadNotes":
        """Return the notes of a book at a position."""
        return ReadNotes(shelf=self, book=book, position=position)

    async def fitting(self, question: str, *, book: Book, position: Position, found: Mapping[int, float]) -> list[Note]:
        """Return the notes of read pages that fit a question and may be shown; none where a book has none in use."""
        span = readable(book, position)
        near = await self._near(span, question) if self._near is not None and book.notes_id else ()
        if not near:
            return chosen(await self._fitting(question, book, position, found))
        alike = (await self._words_of(book)).alike(near, last_page=span.last_page, found=found)
        return chosen_alike(await self._that_may_be_shown(alike, book, position))

    async def material(self, query: str, *, book: Book, position: Position, found: Mapping[int, float]) -> list[Note]:
        """Return those of the notes that may be shown which a model gets for a query: more of them, less strictly."""
        return near(await self._fitting(query, book, position, found))

    async def of_pages(self, first_page: int, last_page: int, *, book: Book, position: Position) -> list[Note]:
        """Return some notes of a stretch of read pages, evenly from first to last, of those that may be shown."""
        if not book.notes_id:
            return []
        words = await self._words_of(book)
        notes = words.on_pages(first_page, min(last_page, readable(book, position).last_page))
        looked_at = spread(notes, most=_SPARE * MOST_OF_STRETCH)
        shown = await self._guard.notes_to_show(looked_at, book=book, position=position)
        return spread(shown, most=MOST_OF_STRETCH)

    async def _fitting(
        self, question: str, book: Book, position: Position, found: Mapping[int, float]
    ) -> list[FittingNote]:
        if not book.notes_id:
            return []
        words = await self._words_of(book)
        fitting = words.fitting(question, last_page=readable(book, position).last_page, found=found)
        return await self._that_may_be_shown(fitting, book, position)

    async def _that_may_be_shown(
        self, fitting: Sequence[FittingNote], book: Book, position: Position
    ) -> list[FittingNote]:
        shown = await self._guard.notes_to_show([each.note for each in fitting], book=book, position=position)
        return [each for each in fitting if each.note in shown]

    async def _words_of(self, book: Book) -> NoteWords:
        return await self._held.get(book.book_id, book.notes_id, lambda: self._words(book))

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

    async def material(self, query: str, found: Mapping[int, float]) -> list[Note]:
        """Return those that a model gets for a query, in the order of the book."""
        return await self.shelf.material(query, book=self.book, position=self.position, found=found)

    async def of_pages(self, first_page: int, last_page: int) -> list[Note]:
        """Return some of a stretch of pages, as far as they are read."""
        return await self.shelf.of_pages(first_page, last_page, book=self.book, position=self.position)
