"""Fetches what was said while the bot was away: after the last message it kept, and no older than allowed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import discord

from adapters.discord.posting import OUT_OF_REACH, patiently
from adapters.discord.translate import Talk
from adapters.platform.arrivals import NotAllReadError
from adapters.platform.patience import Patience

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 4
_MOST_PLACES: Final = 300
_MOST_DIRECT: Final = 50
_A_PAGE: Final = 100
_MOST_PAGES: Final = 100
_MOST_IN_A_PLACE: Final = 2_000
_PATIENCE_S: Final = 5.0
_DIRECT: Final = "dm:"

Take = Callable[[discord.Message], Awaitable[bool]]
"""Whether a message concerned the bot."""


class Missed:
    """Reads the history of active threads, of channels, and of the DMs there were."""

    def __init__(self, client: discord.Client, *, hours: int, patience: Patience) -> None:
        self._client = client
        self._hours = hours
        self._patience = replace(patience, total=min(patience.total, _PATIENCE_S))

    async def fetch(self, latest: Mapping[str, int], last_alive: int, take: Take) -> None:
        """Hand over every message after the latest known ones, the oldest of each place first.

        A bot that never heard anything is new here, and does not dig in what was said before it came.

        Raises:
            NotAllReadError: Discord was out of reach for some of it; the rest has been handed over.
        """
        if not last_alive:
            return
        unread: list[int] = []
        oldest = discord.utils.time_snowflake(discord.utils.utcnow() - timedelta(hours=self._hours))
        slots = asyncio.Semaphore(_AT_ONCE)

        async def read(channel: Talk, after: int) -> None:
            async with slots:
                if not await self._read(channel, after, take):
                    unread.append(channel.id)

        async with asyncio.TaskGroup() as group:
            for channel in self._places():
                after = max(latest.get(str(channel.id), last_alive), oldest)
                if (channel.last_message_id or 0) > after:
                    group.create_task(read(channel, after))
            async for direct in self._direct(latest, oldest):
                group.create_task(read(direct, max(latest[f"{_DIRECT}{direct.id}"], oldest)))
        if unread:
            raise NotAllReadError(f"{len(unread)} channels of Discord could not be read")

    def _places(self) -> Iterable[discord.TextChannel | discord.Thread]:
        """Return where there may be something, the liveliest first; archived threads are not among them."""
        places: list[discord.TextChannel | discord.Thread] = []
        for guild in self._client.guilds:
            readable = (one for one in guild.text_channels if one.permissions_for(guild.me).read_message_history)
            places += [*readable, *guild.threads]
        places.sort(key=lambda place: place.last_message_id or 0, reverse=True)
        return places[:_MOST_PLACES]

    async def _direct(self, latest: Mapping[str, int], oldest: int) -> AsyncIterator[discord.DMChannel]:
        known = sorted(((last, place) for place, last in latest.items() if place.startswith(_DIRECT)), reverse=True)[
            :_MOST_DIRECT
        ]
        for _, place in known:
            channel_id = int(place.removeprefix(_DIRECT))
            try:
                channel = await patiently(partial(self._client.fetch_channel, channel_id), self._patience)
            except (discord.HTTPException, *OUT_OF_REACH) as error:
                _log.info("The DM %s cannot be looked at: %s", channel_id, error)
                continue
            if isinstance(channel, discord.DMChannel):
                yield channel

    async def _read(self, channel: Talk, after: int, take: Take) -> bool:
        """Read a place to its end, page by page; False where Discord was out of reach."""
        taken = 0
        for _ in range(_MOST_PAGES):
            try:
                messages = await patiently(partial(_page, channel, after), self._patience)
            except (discord.HTTPException, *OUT_OF_REACH) as error:
                _log.warning("What was missed in channel %s cannot be fetched: %s", channel.id, error)
                return isinstance(error, discord.HTTPException) and not isinstance(error, OUT_OF_REACH)
            for message in messages:
                taken += await take(message)
            if len(messages) < _A_PAGE:
                return True
            if taken >= _MOST_IN_A_PLACE:
                break
            after = messages[-1].id
        _log.warning("Too much was said in channel %s meanwhile; the rest is left.", channel.id)
        return True


async def _page(channel: Talk, after: int) -> list[discord.Message]:
    found = channel.history(limit=_A_PAGE, after=discord.Object(after), oldest_first=True)
    return [message async for message in found]
