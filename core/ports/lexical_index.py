"""Port: finds chunks by their words."""

from typing import Protocol

from core.domain.passage import ReadableSpan
from core.ports.passage_index import Near


class LexicalIndex(Protocol):
    """One index a book, built from SQL when first needed."""

    async def rank(self, span: ReadableSpan, query: str, *, nearest: Near, limit: int) -> list[tuple[int, float]]:
        """Return (chunk id, score), best first, all within the span, as an answer to a question would be looked for.

        Any text is a valid query. What is `nearest` to it in meaning counts too; what is not readable is left out.
        """

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
