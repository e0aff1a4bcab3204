"""Port: everything about a thread at one look, since every message asks for it twice: heard, then answered."""

from typing import Protocol

from core.domain.thread import ThreadState


class ThreadRepository(Protocol):
    """Threads as they are now."""

    async def current(self, *, scope: str, place: str, session_of: str) -> ThreadState | None:
        """Return a thread's state about what its club (a place of a scope) reads now.

        `session_of` is what the thread's session ids begin with, before the reading's id. None where the club reads
        nothing, or where the thread has no conversation about it yet.
        """
