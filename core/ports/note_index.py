"""Port: what finds the reading notes nearest to a vector."""

from collections.abc import Callable
from typing import Protocol

from core.domain.book import Book
from core.domain.passage import ReadableSpan
from core.ports.vectors import Vectors


class NoteIndex(Protocol):
    """Finds notes of the pages that may be read, by the vectors of one embedding model."""

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return which notes, counted from 0 in the order of the book, and how like the vector they are, nearest first.

        Nothing where the span's notes have no vectors yet.
        """

    async def complete(self, book: Book, *, on_done: Callable[[int, int], None] | None = None) -> None:
        """Make the vectors of a book's notes where they are missing; `on_done` is told how many are, and of how many.

        Raises:
            LLMError: the model cannot be reached.
        """
