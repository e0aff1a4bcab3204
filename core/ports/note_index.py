"""Port: finds the reading notes nearest to a vector."""

from collections.abc import Callable
from typing import Protocol

from core.domain.book import Book
from core.domain.passage import ReadableSpan
from core.ports.vectors import Vectors


class NoteIndex(Protocol):
    """Finds notes on readable pages by the vectors of one embedding model."""

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return indexes of notes (in the order of the book, from 0) with their similarities, nearest first.

        Empty if the span's notes have no vectors yet.
        """

    async def complete(self, book: Book, *, on_done: Callable[[int, int], None] | None = None) -> None:
        """Make the missing vectors of a book's notes; `on_done` takes how many are done, and of how many.

        Raises:
            LLMError: the model cannot be reached.
        """
