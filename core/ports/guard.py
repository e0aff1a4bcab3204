"""Port: what the house needs of the spoiler guard."""

from collections.abc import Collection, Sequence
from typing import Protocol

from core.domain.book import Book
from core.domain.note import Note, NotePlace
from core.domain.position import Position
from core.domain.verdict import Judgement, Signal


class Guard(Protocol):
    """What the flow needs of the spoiler guard."""

    async def judge(
        self,
        text: str,
        *,
        book: Book,
        position: Position,
        question: str | None = None,
        speakers: Collection[str] = (),
    ) -> Judgement:
        """Return a verdict for each sentence of a text; `speakers` are the names of those who talk with each other."""

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        """Return the highest unread page that a member's own message is known to reveal."""

    async def gives_away(
        self, text: str, *, book: Book, position: Position, own_page: int, speakers: Collection[str] = ()
    ) -> Signal | None:
        """Return why a member's own post certainly gives away what lies beyond its thread's position; None else.

        Only what the member has read themselves counts, up to `own_page`: nobody learns by it whether a guess is right.
        `speakers` are the names of those who talk there.
        """

    async def place_notes(self, notes: Sequence[Note], *, book: Book) -> list[NotePlace]:
        """Return for each note the page on which the book's own text tells it first, if any; never an earlier one."""

    async def notes_to_show(self, notes: Sequence[Note], *, book: Book, position: Position) -> list[Note]:
        """Return those notes that rest on their pages and tell nothing ahead, by the book's own text alone."""
