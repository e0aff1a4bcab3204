"""Port: the time."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, so that rules about time can be tested."""

    def now(self) -> datetime:
        """Return the current time in UTC, with its zone. The system may adjust it, also backwards."""

    def elapsed(self) -> float:
        """Return the seconds since an arbitrary moment; they never go backwards."""

    async def passed(self, seconds: float) -> None:
        """Wait for this many seconds."""
