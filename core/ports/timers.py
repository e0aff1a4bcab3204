"""Port: timers that survive restarts and run once, in one of several processes."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer


class TimerTable(Protocol):
    """Stores timers until they are done. They are deleted with their club, their reading's book or their member."""

    async def keep(self, timer: Timer) -> None:
        """Store a timer in place of the one of its kind and name in its club, done or not.

        Raises:
            BookError: the club or the reading is gone.
        """

    async def cancel(self, *, thread: Thread, kind: str, name: str | None = None) -> int:
        """Delete the waiting timers of a kind in a thread's club, or the one with a name; return how many."""

    async def waiting(self, *, thread: Thread, kind: str) -> list[Timer]:
        """Return the timers of a kind in a thread's club that are not done yet, the next one first."""

    async def claim(self, *, scopes: Sequence[str], now: datetime, lease: timedelta, most: int) -> list[ClaimedTimer]:
        """Claim and return timers due in these scopes, oldest first; no other process gets them during the lease.

        A scope that ends with a colon is a prefix. A timer that is not done when its lease ends can be claimed again.
        """

    async def done(self, claimed: ClaimedTimer, *, dropped: bool = False) -> None:
        """Mark a timer as done, or as dropped; does nothing if the claim has expired."""

    async def put_off(self, claimed: ClaimedTimer, *, until: datetime) -> None:
        """Postpone a timer; does nothing if the claim has expired."""

    async def prune(self, before: datetime) -> int:
        """Delete finished and dropped timers due before a time; return how many."""
