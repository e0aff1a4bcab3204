"""Servers that remove the bot: their data is erased after some days, unless they add it again in time."""

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta

from core.library.library import Library
from core.ports.clock import Clock
from core.ports.left_servers import LeftServerRepository

_log = logging.getLogger(__name__)


class LeftServers:
    """Records which servers have the bot, and erases the data of those that removed it.

    Args:
        servers: which servers left, and when.
        library: the books, with everything that was made from them.
        clock: the current time.
        kept_days: the number of days before data is erased.
    """

    def __init__(self, *, servers: LeftServerRepository, library: Library, clock: Clock, kept_days: int) -> None:
        self._servers = servers
        self._library = library
        self._clock = clock
        self._kept_days = kept_days

    async def left(self, scopes: Sequence[str]) -> None:
        """Record that servers removed the bot."""
        for scope in await self._servers.note(scopes, self._clock.now()):
            _log.warning("%s removed the bot: its data will be erased in %d days.", scope, self._kept_days)

    async def there(self, scopes: Collection[str]) -> None:
        """Record that servers have the bot."""
        for scope in await self._servers.returned(scopes):
            _log.warning("%s has the bot again: its data is kept.", scope)

    async def only(self, platform: str, scopes: Collection[str]) -> None:
        """Record which servers of a platform have the bot; all others removed it while it was offline."""
        await self.there(scopes)
        await self.left([scope for scope in await self._servers.stored(platform) if scope not in scopes])

    async def erase_due(self) -> None:
        """Erase the data of servers whose days have passed."""
        long_ago = self._clock.now() - timedelta(days=self._kept_days)
        for scope in await self._servers.left_before(long_ago):
            erased = await self._servers.erase(scope, left_before=long_ago)
            if erased is None:
                continue  # it has just returned, or another process was first
            for book_id in erased.book_ids:
                await self._library.reindex(book_id)
            await self._library.tidy_up()
            _log.warning(
                "%s removed the bot %d days ago: %d books and %d clubs are erased.",
                scope,
                self._kept_days,
                len(erased.book_ids),
                erased.clubs,
            )
