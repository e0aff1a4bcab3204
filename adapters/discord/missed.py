"""Fetches what was said while the bot was away: after the last message it kept, and no older than allowed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Final

import aiohttp
import discord

from adapters.discord.posting import Patience, patiently
from adapters.discord.translate import Talk

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 4
_MOST_PLACES: Final = 300
_MOST_DIRECT: Final = 50
_MOST_IN_A_PLACE: Final = 300
_DIRECT: Final = "dm:"

Take = Callable[[discord.Message], Awaitable[None]]


class Missed:
    """Reads the history of active threads, of channels, and of the DMs there were."""

    def __init__(self, client: discord.Client, *, hours: int, patience: Patience) -> None:
        self._client = client
        self._hours = hours
        self._patience = patience

    async def fetch(self, latest: Mapping[str, int], last_alive: int, take: Take) -> None:
        """Hand over every message after the latest known ones, the oldest of each place first.

        A bot that never heard anything is new here, and does not dig in what was said before it came.
        """
        if not last_alive:
            return
        oldest = discord.utils.time_snowflake(discord.utils.utcnow() - timedelta(hours=self._hours))
        slots = asyncio.Semaphore(_AT_ONCE)

        async def read(channel: Talk, after: int) -> None:
            async with slots:
                await self._read(channel, after, take)

        async with asyncio.TaskGroup() as group:
            for channel in self._places():
                after = max(latest.get(str(channel.id), last_alive), oldest)
                if (channel.last_message_id or 0) > after:
                    group.create_task(read(channel, after))
            async for direct in self._direct(latest, oldest):
                group.create_task(read(direct, max(latest[f"{_DIRECT}{direct.id}"], oldest)))

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
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                _log.info("The DM %s cannot be looked at: %s", channel_id, error)
                continue
            if isinstance(channel, discord.DMChannel):
                yield channel

    async def _read(self, channel: Talk, after: int, take: Take) -> None:
        async def page() -> list[discord.Message]:
            found = channel.history(limit=_MOST_IN_A_PLACE, after=discord.Object(after), oldest_first=True)
            return [message async for message in found]

        try:
            messages = await patiently(page, self._patience)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.warning("What was missed in channel %s cannot be fetched: %s", channel.id, error)
            return
        for message in messages:
            await take(message)
