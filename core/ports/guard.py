"""Port: the spoiler guard."""

from collections.abc import Collection, Sequence
from typing import Protocol

from core.domain.book import Book
from core.domain.note import Note, NotePlace
from core.domain.position import Position
from core.domain.verdict import Judgement, Signal


class Guard(Protocol):
    """Judges texts and notes against what is read of a book."""

    async def judge(
        self,
        text: str,
        *,
        book: Book,
        position: Position,
        question: str | None = None,
        speakers: Collection[str] = (),
        any_language: bool = False,
    ) -> Judgement:
        """Return a verdict for each sentence of a text; `speakers` are the names of the people in the conversation.

        With `any_language`, a sentence may be in a known language that is not the book's.
        """

    async def is_background(self, text: str, *, book: Book, position: Position, question: str) -> bool:
        """Whether a sentence has no name of the question or the book, read or unread, and does not score as a leak."""

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        """Return the highest unread page that a member's own message is known to reveal."""

    async def gives_away(
        self, text: str, *, book: Book, position: Position, own_page: int, speakers: Collection[str] = ()
    ) -> Signal | None:
        """Return why a member's post certainly reveals pages beyond its thread's position; None if that is not certain.

        Only pages up to `own_page`, the member's own page, are compared, so that nobody learns whether a guess is
        right. `speakers` are the names of the people in the conversation.
        """

    async def place_notes(self, notes: Sequence[Note], *, book: Book) -> list[NotePlace]:
        """Return for each note the first page, not before its own, whose text supports it, or why there is none."""

    async def notes_to_show(self, notes: Sequence[Note], *, book: Book, position: Position) -> list[Note]:
        """Return the notes whose own pages support them and that reveal no unread text, by the book's text alone."""
