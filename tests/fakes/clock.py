"""A clock that stands still until it is moved."""

import asyncio
from datetime import UTC, datetime, timedelta

from core.ports.clock import Clock


class FrozenClock(Clock):
    """Tells the time it was set to."""

    def __init__(self, now: datetime = datetime(2024, 5, 1, 12, tzinfo=UTC)) -> None:
        self._now = now
        self._elapsed = 0.0
        self._waiting: list[tuple[float, asyncio.Event]] = []
        self._waits = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    def elapsed(self) -> float:
        return self._elapsed

    async def passed(self, seconds: float) -> None:
        over = asyncio.Event()
        self._waiting.append((self._elapsed + seconds, over))
        self._waits.set()
        await over.wait()

    async def is_waited_for(self) -> None:
        """Wait until somebody waits for time to pass."""
        await self._waits.wait()

    def advance(self, by: timedelta) -> None:
        self._now += by
        self._elapsed += by.total_seconds()
        over = [event for until, event in self._waiting if until <= self._elapsed]
        self._waiting = [one for one in self._waiting if one[1] not in over]
        self._waits = asyncio.Event() if not self._waiting else self._waits
        for event in over:
            event.set()

    def set_back(self, by: timedelta) -> None:
        """As whoever runs the machine does, or a time server."""
        self._now -= by
