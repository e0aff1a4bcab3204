"""Port: books with their pages, chapters and chunks. SQL is the source of truth (ADR 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.book import Book, BookEdit, BookOutline, BookText, Chunk, Page
from core.domain.edition import PlaceMap
from core.domain.passage import ReadableSpan, SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A stored chunk with its id."""

    chunk_id: int
    start_page: int
    end_page: int
    text: str

    def found(self, *, score: float = 0.0) -> SearchResult:
        """Return the chunk as a search result; the score is 0 without a ranking."""
        return SearchResult(
            chunk_id=self.chunk_id,
            start_page=self.start_page,
            end_page=self.end_page,
            score=round(score, 6),
            text=self.text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkMark:
    """A chunk without its text: the page on which it ends, and its length in characters."""

    chunk_id: int
    end_page: int
    length: int


class BookTexts(Protocol):
    """Stored books, and their text through the page gate."""

    async def get(self, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""

    async def outline(self, book_id: str) -> BookOutline:
        """Return page count, labels and chapters."""

    async def pages(self, span: ReadableSpan) -> list[Page]:
        """Return the readable pages."""

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        """Return the story's chunks in order, to build an index. Never show them without the gate."""

    async def chunk_marks(self, book_id: str) -> list[ChunkMark]:
        """Return the marks of the story's chunks in order."""

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return chunks through the page gate; unreadable and deleted ones are left out."""

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks that begin on some pages, in the order of the book, through the gate."""


class BookRepository(BookTexts, Protocol):
    """Books with their pages, chapters and chunks, for the library that adds, changes and removes them."""

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        """Store a book in one transaction; return it, and whether it is new.

        In a scope, the same content is stored only once; a book from before books were trees gets its tree then.
        """

    async def find(self, *, scope: str, name: str) -> Book:
        """Return the book with this id or title, or a unique beginning or run of words of its title (`book_names`).

        Raises:
            BookError: NOT_FOUND, or AMBIGUOUS with the titles that fit.
        """

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book of a scope that was imported last; None if there is none."""

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        """Change the metadata of a book in one transaction; chapters that it does not have are ignored."""

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        """Store a book in another scope too, with its vectors; return that book, and whether it is new there."""

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Replace a book by another: its readings continue in the new one, with threads, positions and history.

        Deletes the old book. If a club reads both books, nothing changes, and False is returned.
        """

    async def continue_in(self, reading_id: str, book_id: str, places: PlaceMap) -> bool:
        """Let one reading continue in another book, with threads, positions and history, and so the one linked with it.

        The book that it had stays. If the club reads both books, nothing changes, and False is returned.
        """

    async def join_notes(self, book_id: str, parts: Mapping[str, int]) -> None:
        """Give a series the notes of its books, by id with the pages before them, if all of them have notes."""

    async def remove(self, book_id: str) -> None:
        """Delete a book and everything that depends on it; clubs that read it remember its title."""

    async def content_hashes(self) -> set[str]:
        """Return the content hashes of the books of all scopes."""
