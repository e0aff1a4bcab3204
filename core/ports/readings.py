"""Port: readings of clubs, and the pages of clubs, threads and members."""

from typing import Protocol

from core.domain.club_state import MoveMade
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionOwner, Reading
from core.domain.thread import Thread


class ReadingRepository(Protocol):
    """Stores readings of clubs, and the pages of clubs, threads and members."""

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club (a place of a scope), and make it the club's current one."""

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        """Return a thread's first reading, which it keeps, or without one its club's current reading.

        `session_of` is the prefix of the thread's session ids, empty for the place itself. None if the club has no
        book, or the thread's book was removed.
        """

    async def removed_title(self, *, scope: str, place: str, session_of: str = "") -> str | None:
        """Return the title of a thread's book that was removed.

        For other threads, and for a place, this is the removed book of the club, until the club reads another.
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
        """Move a thread or a reading, and record the change for undo, in one transaction.

        `has_own` is whether a thread has its own page afterwards. `told_in` is the thread where the move is announced:
        sealed items that open there count as announced, and questions saved for later come back.

        Raises:
            BookError: NOT_FOUND, it is gone.
        """

    async def arrived(self, owner: PositionOwner, *, told_in: Thread | None = None) -> MoveMade:
        """Return what `move` returns for an owner that has reached its page already, without a change."""

    async def undo(self, owner: PositionOwner, *, change_id: int | None = None) -> MoveMade | None:
        """Undo the latest change of a thread or a reading.

        None if there is no change, or if `change_id` is given and the latest change is another.
        """

    async def move_member(
        self, owner: PositionOwner, position: Position, *, member_id: str, told_in: Thread | None = None
    ) -> str:
        """Move a member's own page, and bring back the questions that they saved for it.

        Returns the text of the last page read.
        """

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Store a member's copy, or without `member_id` the reading's; None deletes it."""
