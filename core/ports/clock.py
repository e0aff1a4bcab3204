"""Port: the time."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, so that rules about time can be tested."""

    def now(self) -> datetime:
        """Return the time now, with its zone (UTC); it is set right now and then, also backwards."""

    def elapsed(self) -> float:
        """Return seconds that only move on, from some moment on."""

    async def passed(self, seconds: float) -> None:
        """Wait until so many seconds have passed."""
