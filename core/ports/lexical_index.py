"""Port: finds and ranks chunks by their words."""

from typing import Protocol

from core.domain.passage import ReadableSpan
from core.ports.passage_index import Near


class LexicalIndex(Protocol):
    """Keeps one index per book, built from the database when first needed."""

    async def rank(self, span: ReadableSpan, query: str, *, nearest: Near, limit: int) -> list[tuple[int, float]]:
        """Return up to `limit` chunk ids within the span with their scores, best first.

        Any text is a valid query. `nearest` are results by meaning, which count too. Unreadable chunks are left out.
        """

    async def refresh(self, book_id: str) -> None:
        """Drop the index of a book; it is built again when next needed."""
