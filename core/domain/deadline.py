"""How long a turn may take, and how often its model calls may be tried again, over all calls together."""

import time
from collections.abc import Callable
from dataclasses import dataclass


class Deadline:
    """The one budget of a turn; the loop makes it, every model call of the turn draws on it.

    Args:
        seconds: how long the whole turn may take from now.
        retries: how many further tries all calls of the turn may make together.
        now: a monotonic clock in seconds.
    """

    def __init__(self, *, seconds: float, retries: int, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._ends_at = now() + seconds
        self._retries_left = retries

    def remaining(self) -> float:
        """Return the seconds that are left, never below 0."""
        return max(0.0, self._ends_at - self._now())

    def take_retry(self, *, wait: float) -> bool:
        """Draw one retry after a wait of so many seconds; False, with nothing drawn, where the budget forbids it."""
        if self._retries_left < 1 or wait >= self.remaining():
            return False
        self._retries_left -= 1
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLimits:
    """What every turn may spend: seconds of waiting for the model, and further tries, over all its calls.

    `looks_back`: so many messages of its thread are read again for it.
    """

    seconds: float = 90.0
    retries: int = 2
    looks_back: int = 400

    def deadline(self) -> Deadline:
        """Return the budget of a turn that begins now."""
        return Deadline(seconds=self.seconds, retries=self.retries)
