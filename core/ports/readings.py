"""Port: clubs, their readings, and where everybody stands."""

from typing import Protocol

from core.domain.club_state import MoveMade
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionOwner, Reading
from core.domain.thread import Thread


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

    async def move(
        self,
        owner: PositionOwner,
        position: Position,
        *,
        member_id: str,
        has_own: bool = True,
        told_in: Thread | None = None,
    ) -> MoveMade:
        """Move a thread or a reading and keep the change, so that it can be undone; all of it or nothing.

        `has_own` is whether a thread then holds a page of its own. Where the move is told in a thread, what opens there
        counts as told of, and the questions come back that were kept for later until there.

        Raises:
            BookError: NOT_FOUND, it is gone.
        """

    async def arrived(self, owner: PositionOwner, *, told_in: Thread | None = None) -> MoveMade:
        """Return, as `move` does, what follows where an owner stands already, who was moved elsewhere or not at all."""

    async def undo(self, owner: PositionOwner, *, change_id: int | None = None) -> MoveMade | None:
        """Take back the latest change of a thread, or of a reading itself.

        None where there is nothing to take back, or where the latest change is not the one that is meant.
        """

    async def move_member(
        self, owner: PositionOwner, position: Position, *, member_id: str, told_in: Thread | None = None
    ) -> str:
        """Move a member's own page and bring back what they kept for it; return the text of the last page read."""

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Keep what is known of a member's copy, or of the whole reading's; None forgets it."""
