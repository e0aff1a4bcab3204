"""Port: the reading notes of books, stored page by page."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.note import Note, NoteBatch, NoteMaking, NotesSummary
from core.domain.passage import ReadableSpan


class NoteRepository(Protocol):
    """Stores notes of books. A book's `notes_id` stays empty until its notes are complete and may be used."""

    async def notes(self, span: ReadableSpan) -> list[Note]:
        """Return the notes on readable pages in the order of the book, also while they are being made."""

    async def summary(self, book_id: str) -> NotesSummary:
        """Return how many notes a book has; zero for an unknown book."""

    async def replace(self, book_id: str, notes: Sequence[Note]) -> None:
        """Replace all notes of a book in one transaction, and number them.

        Raises:
            BookError: NOT_FOUND.
        """

    async def remove(self, book_id: str) -> int:
        """Delete all notes of a book, and those being made; return how many there were."""

    async def begin(self, book_id: str, *, most_tokens: int, asked_in: str = "") -> NoteMaking:
        """Begin or continue making notes, with a new budget; finished notes stay.

        Raises:
            BookError: NOT_FOUND.
        """

    async def makings(self) -> list[NoteMaking]:
        """Return the makings in progress by book, including those from before a restart."""

    async def keep(self, book_id: str, batch: NoteBatch) -> NoteMaking | None:
        """Store a batch of notes; return the progress, or None if the making was stopped.

        Pages that have notes already keep them.
        """

    async def finish(self, book_id: str) -> None:
        """Mark the notes as complete, so that they are used."""
