"""Port: what the house needs of the spoiler guard."""

from typing import Protocol

from core.domain.book import Book
from core.domain.position import Position
from core.domain.verdict import Judgement


class Guard(Protocol):
    """What the flow needs of the spoiler guard."""

    async def judge(self, text: str, *, book: Book, position: Position, question: str | None = None) -> Judgement:
        """Return a verdict for each sentence of a text."""

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        """Return the highest unread page that a member's own message is known to reveal."""
