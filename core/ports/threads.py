"""Port: everything about a thread, or the place that it is in, at one look, since every message asks for it."""

from datetime import datetime
from typing import Protocol

from core.domain.club_state import ClubState
from core.domain.thread import PlaceState, Thread, ThreadState


class ThreadRepository(Protocol):
    """Threads as they are now."""

    async def current(self, *, scope: str, place: str, session_of: str, about: str = "") -> ThreadState | None:
        """Return a thread's state about what it reads: its first reading, for good, else what its club does now.

        `session_of` is what the thread's session ids begin with, before the reading's id; `about` is the one reading
        that is meant, if any. None where nothing is read, or where the thread has no conversation about it yet.
        """

    async def club(self, thread: Thread, *, member_id: str, now: datetime, of_club: bool = False) -> ClubState | None:
        """Return all that a command of a member's decides by, in a thread; of the reading itself where `of_club`.

        None where nothing is read, or where the thread has no conversation about it yet.
        """

    async def place(self, *, scope: str, place: str) -> PlaceState | None:
        """Return the state of a place of a scope; None where its club reads nothing."""
