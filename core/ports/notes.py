"""Port: the reading notes of books, kept page by page."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.note import Note, NoteBatch, NoteMaking, NotesSummary
from core.domain.passage import ReadableSpan


class NoteRepository(Protocol):
    """Notes of books. A book's `notes_id` is empty until they are whole: only then may they be used."""

    async def notes(self, span: ReadableSpan) -> list[Note]:
        """Return the notes of readable pages in the order of the book, also of a book whose notes are being made."""

    async def summary(self, book_id: str) -> NotesSummary:
        """Return how many notes there are; none for a book that is not there."""

    async def replace(self, book_id: str, notes: Sequence[Note]) -> None:
        """Give a book these notes in place of all it had, whole or not at all; numbers are given here.

        Raises:
            BookError: NOT_FOUND.
        """

    async def remove(self, book_id: str) -> int:
        """Take all notes of a book away, and what is being made of them; return how many they were."""

    async def begin(self, book_id: str, *, most_tokens: int, asked_in: str = "") -> NoteMaking:
        """Begin to make notes, or go on: what was kept before is kept, the budget is the new one.

        Raises:
            BookError: NOT_FOUND.
        """

    async def makings(self) -> list[NoteMaking]:
        """Return what is being made, that of one process's last life too, by book."""

    async def keep(self, book_id: str, batch: NoteBatch) -> NoteMaking | None:
        """Keep what was made; return how far it is, None where it is wanted no more.

        Of pages that were kept before, what came first stays.
        """

    async def finish(self, book_id: str) -> None:
        """Let the notes that were made be used."""
