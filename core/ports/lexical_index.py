"""Port: finds chunks by their words."""

from typing import Protocol

from core.domain.passage import ReadableSpan


class LexicalIndex(Protocol):
    """One index a book, built from SQL when first needed, shared by retrieval and guard."""

    async def search(self, span: ReadableSpan, query: str, *, limit: int) -> list[tuple[int, float]]:
        """Return (chunk id, score above 0), best first, all within the span. Any text is a valid query."""

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
