"""A clock that stands still until it is moved."""

from datetime import UTC, datetime, timedelta

from core.ports.clock import Clock


class FrozenClock(Clock):
    """Tells the time it was set to."""

    def __init__(self, now: datetime = datetime(2024, 5, 1, 12, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by
