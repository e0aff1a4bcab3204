"""Up to where all that was said on a platform is kept: what the next start need not look at again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_EVERY_S: Final = 60.0


class Watermark:
    """The end of the unbroken prefix, in a platform's order of messages; 0 where nothing was ever heard.

    What is heard beyond a gap moves it no further until all that was missed in the gap is kept, and what could not be
    kept stands in its way until it is. About every minute it is noted where it stood a minute ago: what a platform
    hands over late is then not taken for kept.
    """

    def __init__(self, inbox: Inbox, platform: str, *, every: float = _EVERY_S) -> None:
        self._inbox = inbox
        self._platform = platform
        self._every = every
        self._heard = 0
        self._noted = 0
        self._gap_begins = 0
        self._gaps = 0
        self._is_whole = False
        self._lost: set[int] = set()

    @property
    def end(self) -> int:
        """The order up to which all is kept, or is on its way into the store."""
        if not self._is_whole:
            return self._gap_begins
        return min(self._lost, default=self._heard + 1) - 1

    @property
    def has_all(self) -> bool:
        """Whether all that was missed is kept."""
        return self._is_whole

    @property
    def gaps(self) -> int:
        """How many gaps there were; who fills one says up to which."""
        return self._gaps

    async def start(self, *, otherwise: int, now: int) -> None:
        """Go on where the process before this one stopped, or `otherwise` where it noted nothing.

        Where nothing was ever heard, that it began `now` is noted at once: the next start looks from there, though
        this one, which is new here, does not dig in what was said before it came.

        Raises:
            StorageError: the store cannot be used.
        """
        self._noted = int(await self._inbox.last_alive(self._platform) or 0)
        self._heard = self._gap_begins = self._noted or otherwise
        if not self._heard:
            await self._inbox.note_alive(self._platform, str(now))
            self._noted = now

    def at(self, order: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._heard = max(self._heard, order)

    def lost(self, order: int) -> None:
        """Note that something could not be kept: until it is, it must be looked for."""
        self._lost.add(order)

    def kept(self, order: int) -> None:
        """Note that something is kept."""
        self._lost.discard(order)

    def gap(self) -> None:
        """Something may be missing from now on; what was lost before is fetched with it."""
        self._gap_begins, self._is_whole = self.end, False
        self._gaps += 1
        self._lost.clear()

    def gap_filled(self, gaps: int) -> None:
        """All that was missed in so many gaps is kept; a later one may have begun meanwhile."""
        self._is_whole = self._is_whole or gaps == self._gaps

    async def keep_noting(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it again and again, each time when what was heard before is `kept`."""
        while True:
            end = self.end
            await asyncio.sleep(self._every)
            await kept()
            await self._note(end)

    async def note(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it as it is now, when what was heard before is `kept`."""
        end = self.end
        await kept()
        await self._note(end)

    async def _note(self, order: int) -> None:
        """Note it, as far as it holds still; a store that does not take it costs the next start a longer look."""
        order = min(order, self.end)
        if order <= self._noted:
            return
        try:
            await self._inbox.note_alive(self._platform, str(order))
            self._noted = order
        except Exception as error:  # noqa: BLE001 (as above)
            _log.warning("How far was heard cannot be noted: %s", error)
