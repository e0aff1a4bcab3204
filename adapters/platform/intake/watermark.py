"""Up to where all that was said on a platform is kept: what the next start need not look at again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_EVERY_S: Final = 60.0


class Watermark:
    """Notes about every minute how far the bot has heard, in a platform's order of messages; 0 for nothing yet.

    Nothing is noted while something before it may be missing: until what was missed has been fetched.
    """

    def __init__(self, inbox: Inbox, platform: str, *, every: float = _EVERY_S) -> None:
        self._inbox = inbox
        self._platform = platform
        self._every = every
        self._heard = 0
        self._noted = 0
        self._first_lost: int | None = None
        self._is_whole = False

    @property
    def heard(self) -> int:
        """The order of the last that was said in this process's life."""
        return self._heard

    async def before(self) -> int:
        """Return what the process before this one noted last; 0 for nothing."""
        return int(await self._inbox.last_alive(self._platform) or 0)

    def at(self, order: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._heard = max(self._heard, order)

    def lost(self, order: int) -> None:
        """Note that something could not be kept: the next start must look for it."""
        self._first_lost = order if self._first_lost is None else min(order, self._first_lost)

    def gap(self) -> None:
        """Something may be missing from now on."""
        self._is_whole = False

    def gap_filled(self) -> None:
        """All that was missed is kept."""
        self._is_whole = True

    @property
    def has_all(self) -> bool:
        """Whether all that was missed is kept."""
        return self._is_whole

    async def keep_noting(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it again and again, each time when what was heard before is `kept`."""
        while True:
            await asyncio.sleep(self._every)
            await self.note(kept)

    async def note(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it once; a store that does not take it costs the next start a longer look, and nothing else."""
        order = self._heard
        if not self._is_whole:
            return
        await kept()
        if self._first_lost is not None:
            order = min(order, self._first_lost - 1)
        if order <= self._noted or not self._is_whole:
            return
        try:
            await self._inbox.note_alive(self._platform, str(order))
            self._noted = order
        except Exception as error:  # noqa: BLE001 (as above)
            _log.warning("How far was heard cannot be noted: %s", error)
