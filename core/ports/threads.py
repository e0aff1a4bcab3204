"""Port: the whole state of a thread or a place in one query, since every message needs it."""

from datetime import datetime
from typing import Protocol

from core.domain.club_state import ClubState
from core.domain.thread import PlaceState, Thread, ThreadState


class ThreadRepository(Protocol):
    """Reads the current state of threads and places."""

    async def current(self, *, scope: str, place: str, session_of: str, about: str = "") -> ThreadState | None:
        """Return a thread's state in its first reading, or without one in its club's current reading.

        `session_of` is the prefix of the thread's session ids; `about` is the reading's id if one is meant. None if the
        club has no book, or the thread has no conversation about it yet.
        """

    async def club(self, thread: Thread, *, member_id: str, now: datetime, of_club: bool = False) -> ClubState | None:
        """Return what a member's command in a thread needs; with `of_club` for the reading and not the thread.

        None if the club has no book, or the thread has no conversation about it yet.
        """

    async def place(self, *, scope: str, place: str) -> PlaceState | None:
        """Return the state of a place of a scope; None if its club has no book."""
