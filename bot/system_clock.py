"""The system clock."""

import asyncio
import time
from datetime import UTC, datetime

from core.ports.clock import Clock


class SystemClock(Clock):
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time now in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    async def passed(self, seconds: float) -> None:
        """Wait until so many seconds have passed."""
        await asyncio.sleep(seconds)
