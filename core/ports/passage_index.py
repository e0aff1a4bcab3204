"""Port: finds the chunks nearest to a vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.passage import ReadableSpan
from core.ports.vectors import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """What is similar to a question in meaning, with similarities such as cosines, nearest first.

    Attributes:
        wholes: ids of chunks, compared as wholes by static vectors.
        chunks: ids of chunks, compared piece by piece by a sentence model; an id occurs once for each near piece.
        notes: indexes of reading notes in the order of the book, from 0.

    Each is empty where no model can tell.
    """

    wholes: Sequence[tuple[int, float]] = ()
    chunks: Sequence[tuple[int, float]] = ()
    notes: Sequence[tuple[int, float]] = ()


class PassageIndex(Protocol):
    """Finds the chunks nearest to a vector within the pages that may be read."""

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return chunk ids within the span and their similarities (cosines), nearest first.

        A chunk with several vectors occurs once for each of them among the nearest `limit`.
        """

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the book are in the index."""

    async def refresh(self, book_id: str) -> None:
        """Reload the book from the database, after an import, a removal or new vectors."""

    async def close(self) -> None:
        """Close files and locks."""
