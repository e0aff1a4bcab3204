"""Fetches messages that were posted while the bot was away, up to the allowed age."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import discord

from adapters.discord.calls import ask
from adapters.discord.listening import own_rights_in
from adapters.platform.intake.items import NotAllReadError
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import GoneError, OutOfReachError, RefusedError

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 4
_A_PAGE: Final = 100
_MOST_RESUMED: Final = 50
_PATIENCE_S: Final = 5.0
_DIRECT: Final = "dm:"

Listed = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
Place = Listed | discord.DMChannel
Hear = Callable[[discord.Message], Awaitable[None]]


class DiscordHistory:
    """Reads threads, channels, DMs and archived threads, the most recently active places first."""

    def __init__(self, client: discord.Client, *, hours: int, retry: RetryPolicy) -> None:
        self._client = client
        self._hours = hours
        self._retry = replace(retry, total=min(retry.total, _PATIENCE_S))

    async def fetch(self, known: Iterable[str], after: int, hear: Hear, *, is_resumed: bool = False) -> None:
        """Pass on every message after that one, oldest first within a place; `known` are the inbox's places.

        A bot that never received anything is new here and fetches no older messages. After a resumed session, the
        servers' lists are outdated, so the most active places are read in any case.

        Raises:
            NotAllReadError: Discord was out of reach for some places; the others have been passed on.
        """
        if not after:
            return
        unread: list[int] = []
        oldest = discord.utils.time_snowflake(discord.utils.utcnow() - timedelta(hours=self._hours))
        after = max(after, oldest)
        slots = asyncio.Semaphore(_AT_ONCE)

        async def look(place: int, channel: Place | None) -> None:
            async with slots:
                if not await self._look(place, channel, after, hear):
                    unread.append(place)

        async with asyncio.TaskGroup() as group:
            for number, channel in enumerate(self._listed()):
                if _last_in(channel) > after or (is_resumed and number < _MOST_RESUMED):
                    group.create_task(look(channel.id, channel))
            for place in self._unlisted(known):
                group.create_task(look(place, None))
        if unread:
            raise NotAllReadError(f"{len(unread)} channels of Discord could not be read")

    def _listed(self) -> list[Listed]:
        """Return the channels and active threads of all servers, most recently active first."""
        places: list[Listed] = []
        for guild in self._client.guilds:
            channels: list[Listed] = [*guild.text_channels, *guild.voice_channels, *guild.stage_channels]
            rights = ((one, own_rights_in(one)) for one in channels)
            readable = (one for one, right in rights if right is None or right.read_message_history)
            places += [*readable, *guild.threads]
        return sorted(places, key=_last_in, reverse=True)

    def _unlisted(self, known: Iterable[str]) -> Iterator[int]:
        """Yield known DMs and archived threads."""
        for place in known:
            channel_id = int(place.removeprefix(_DIRECT))
            listed = self._client.get_channel(channel_id)
            if listed is None or isinstance(listed, discord.DMChannel):
                yield channel_id

    async def _look(self, place: int, channel: Place | None, after: int, hear: Hear) -> bool:
        """Read a place that was requested, or one with something new; return False if Discord was out of reach."""
        try:
            found: object = channel
            is_worth_it = channel is not None
            if channel is None:
                found = await ask(partial(self._client.fetch_channel, place), self._retry)
                is_worth_it = isinstance(found, discord.DMChannel) or (
                    isinstance(found, Listed) and _last_in(found) > after
                )
            if is_worth_it and isinstance(found, Place):
                await self._read(found, after, hear)
        except OutOfReachError as error:
            _log.warning("The missed messages of channel %s cannot be fetched: %s", place, error)
            return False
        except GoneError:
            _log.info("Channel %s was deleted.", place)
        except RefusedError as error:
            _log.warning("The missed messages of channel %s cannot be seen: %s", place, error)
        return True

    async def _read(self, channel: Place, after: int, hear: Hear) -> None:
        """Read a place to its end, page by page."""
        while True:
            messages = await ask(partial(_page, channel, after), self._retry)
            for message in messages:
                await hear(message)
            if len(messages) < _A_PAGE:
                return
            after = messages[-1].id


def _last_in(place: Listed) -> int:
    return place.last_message_id or 0


async def _page(channel: Place, after: int) -> list[discord.Message]:
    found = channel.history(limit=_A_PAGE, after=discord.Object(after), oldest_first=True)
    return [message async for message in found]
