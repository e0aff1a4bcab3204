"""Port: what finds the chunks nearest to a vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.passage import ReadableSpan
from core.ports.vectors import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """What is like a question in meaning, with how like it is (a cosine, say), nearest first.

    `wholes` are ids of chunks whose words, all together, are near; `chunks` are ids, one as often as pieces of it are
    near by a model that knows sentences; `notes` are reading notes, counted from 0 in the order of the book. Each is
    empty where nothing knows.
    """

    wholes: Sequence[tuple[int, float]] = ()
    chunks: Sequence[tuple[int, float]] = ()
    notes: Sequence[tuple[int, float]] = ()


class PassageIndex(Protocol):
    """Finds the chunks nearest to a vector within the pages that may be read."""

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return chunk ids and how like the vector they are (cosines), nearest first, all within the span.

        A chunk with several vectors comes as often as these are among the nearest `limit`.
        """

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the whole book can be found."""

    async def refresh(self, book_id: str) -> None:
        """Take in what SQL has for the book now (after an import, a removal, new vectors)."""

    async def close(self) -> None:
        """Let go of files and locks."""
