"""A clock that stands still until it is moved."""

from datetime import UTC, datetime, timedelta

from core.ports.clock import Clock


class FrozenClock(Clock):
    """Tells the time it was set to."""

    def __init__(self, now: datetime = datetime(2024, 5, 1, 12, tzinfo=UTC)) -> None:
        self._now = now
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def elapsed(self) -> float:
        return self._elapsed

    def advance(self, by: timedelta) -> None:
        self._now += by
        self._elapsed += by.total_seconds()

    def set_back(self, by: timedelta) -> None:
        """As whoever runs the machine does, or a time server."""
        self._now -= by
