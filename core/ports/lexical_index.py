"""Port: finds chunks by their words."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.passage import ReadableSpan


class LexicalIndex(Protocol):
    """One index a book, built from SQL when first needed."""

    async def rank(
        self, span: ReadableSpan, query: str, *, nearest: Sequence[tuple[int, float]], limit: int
    ) -> list[tuple[int, float]]:
        """Return (chunk id, score), best first, all within the span, as an answer to a question would be looked for.

        Any text is a valid query. `nearest`: the chunks next to it in meaning and how like it they are (a cosine, say),
        best first; they count too, and those not readable are left out.
        """

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
