"""Servers that remove the bot: what they left behind is erased after some days; one that returns in time keeps all."""

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta

from core.library.library import Library
from core.ports.clock import Clock
from core.ports.left_servers import LeftServerRepository

_log = logging.getLogger(__name__)


class LeftServers:
    """Hears from the platforms who is there, and erases what is left when its time is over.

    Args:
        servers: where it is kept who has left, and when.
        library: the books, with all that was made of them.
        clock: what time it is.
        kept_days: for how many days everything stays.
    """

    def __init__(self, *, servers: LeftServerRepository, library: Library, clock: Clock, kept_days: int) -> None:
        self._servers = servers
        self._library = library
        self._clock = clock
        self._kept_days = kept_days

    async def left(self, scopes: Sequence[str]) -> None:
        """Hear that servers have removed the bot."""
        for scope in await self._servers.note(scopes, self._clock.now()):
            _log.warning("%s has removed the bot: what it left is erased in %d days.", scope, self._kept_days)

    async def there(self, scopes: Collection[str]) -> None:
        """Hear that servers have the bot."""
        for scope in await self._servers.returned(scopes):
            _log.warning("%s has the bot again: what it had left is kept.", scope)

    async def only(self, platform: str, scopes: Collection[str]) -> None:
        """Hear which servers of a platform have the bot, none else: some may have removed it while it was away."""
        await self.there(scopes)
        await self.left([scope for scope in await self._servers.stored(platform) if scope not in scopes])

    async def erase_due(self) -> None:
        """Erase what servers left behind whose days are over."""
        long_ago = self._clock.now() - timedelta(days=self._kept_days)
        for scope in await self._servers.left_before(long_ago):
            erased = await self._servers.erase(scope, left_before=long_ago)
            if erased is None:
                continue  # it has just come back, or another process was first
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
