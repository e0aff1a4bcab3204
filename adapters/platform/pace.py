"""How many ornaments go out: reactions and typing notices give way to answers, for which a platform's limits are."""

import asyncio
import time
from typing import Final

_A_SECOND: Final = 20.0
_AT_ONCE: Final = 40.0


class Pace:
    """So many calls a second, after so many at once; Discord takes fifty of a bot in all, and answers come first."""

    def __init__(self, *, a_second: float = _A_SECOND, at_once: float = _AT_ONCE) -> None:
        self._a_second = a_second
        self._most = self._left = at_once
        self._counted_at = time.monotonic()

    def take(self) -> bool:
        """Take one, where one may go out at this moment."""
        if self._now_left() < 1:
            return False
        self._left -= 1
        return True

    async def turn(self) -> None:
        """Wait until one may go out; those who wait go one after the other."""
        wait = (1 - self._now_left()) / self._a_second
        self._left -= 1
        if wait > 0:
            await asyncio.sleep(wait)

    def _now_left(self) -> float:
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._counted_at) * self._a_second)
        self._counted_at = now
        return self._left
