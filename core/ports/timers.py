"""Port: what falls due, kept through restarts and worked off once, whichever process does it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer


class TimerTable(Protocol):
    """Timers until they are done; they go with their club, their reading's book and their member."""

    async def keep(self, timer: Timer) -> None:
        """Keep a timer, in place of the one of its kind and name in its club, whatever had become of that.

        Raises:
            BookError: there is no such club (any more), or no such reading.
        """

    async def cancel(self, *, thread: Thread, kind: str, name: str | None = None) -> int:
        """Let the waiting timers of a kind in a thread's club go, or the one of a name; return how many those were."""

    async def waiting(self, *, thread: Thread, kind: str) -> list[Timer]:
        """Return the timers of a kind in a thread's club that are not done yet, the next one first."""

    async def claim(self, *, scopes: Sequence[str], now: datetime, lease: timedelta, most: int) -> list[ClaimedTimer]:
        """Return what is due in these scopes, the oldest first; for as long as the lease nobody else is given it.

        One of the scopes that ends with a colon stands for all that begin so. What was claimed and is not done when
        its lease has run out is given again.
        """

    async def done(self, claimed: ClaimedTimer, *, dropped: bool = False) -> None:
        """Mark a timer as done for good, or as dropped; nothing where the claim does not hold any more."""

    async def put_off(self, claimed: ClaimedTimer, *, until: datetime) -> None:
        """Let a timer wait once more; nothing where the claim does not hold any more."""

    async def prune(self, before: datetime) -> int:
        """Forget what was done, or dropped, and was due before then; return how many those were."""
