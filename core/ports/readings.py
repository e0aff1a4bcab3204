"""Port: clubs, their readings, and where everybody stands."""

from typing import Protocol

from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionChange, Reading, ReadingState


class ReadingRepository(Protocol):
    """Clubs, their readings, and where everybody stands."""

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club (a place of a scope), and make it the club's current one."""

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        """Return what a thread reads: its first reading, for good; without one what its club used last.

        `session_of` is what the thread's session ids begin with, empty for the place itself. None where the club reads
        nothing, or the thread's book was removed.
        """

    async def removed_title(self, *, scope: str, place: str, session_of: str = "") -> str | None:
        """Return the title of the book that a thread was about when it was removed.

        Of any other thread, and of a place, it is what the club was reading then, until it reads another.
        """

    async def standing(self, conversation_id: str) -> ReadingState:
        """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""

    async def reading_standing(self, reading_id: str) -> ReadingState:
        """Return where a reading itself and its members stand, as a new thread of it would. Raises BookError."""

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread and keep the change, so that it can be undone."""

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        """Move a reading and keep the change, so that it can be undone."""

    async def latest_change(self, reading_id: str, conversation_id: str | None = None) -> PositionChange | None:
        """Return the change of a thread that `undo` takes back, or that of a reading; None where there is none."""

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a thread.

        None where there is nothing to take back, or where the latest change is not the one that is meant.
        """

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a reading itself, as `undo` does for a thread."""

    async def own_positions(self, reading_id: str) -> list[str]:
        """Return the session ids of the threads that hold a position of their own."""

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return the copy that a member reads from, or that the whole reading goes by; None where nobody has said."""

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Keep what is known of a member's copy, or of the whole reading's; None forgets it."""
