"""A process that answers on Discord without a gateway connection: it knows servers only from the HTTP API."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import discord

from adapters.discord.bot import Bot
from adapters.discord.calls import WRONG_TOKEN, ask, in_short, set_up
from adapters.discord.listening import PLATFORM, DiscordMessage
from adapters.discord.options import DiscordOptions
from adapters.discord.said import DiscordMessageContext
from adapters.platform.platform_app import PlatformApp
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.platform.surface import GoneError, RefusedError
from adapters.platform.used import UsedCommands
from adapters.platform.worker import Shift, Worker
from core.domain.errors import SettingsError
from core.domain.keyed_locks import KeyedLocks
from core.ports.work import WorkQueue

_KNOWN_FOR_S: Final = 300.0


def worker_on_discord(
    services: PlatformServices,
    options: DiscordOptions,
    work: WorkQueue,
    *,
    shift: Shift,
    retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
) -> Worker[DiscordMessage]:
    """Return the worker that answers what the gateway's process received."""
    log_in = partial(_logged_in, services, options, retry)
    return Worker(platform=PLATFORM, read=DiscordMessage.from_payload, log_in=log_in, work=work, shift=shift)


@asynccontextmanager
async def _logged_in(
    services: PlatformServices, options: DiscordOptions, retry: RetryPolicy
) -> AsyncIterator[PlatformApp[DiscordMessage]]:
    """Log in. Raises SettingsError: the token is wrong."""
    set_up(api_base=options.api_base)
    # It never connects to the gateway; the intents only avoid the library's warnings.
    client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
    try:
        await client.login(options.token)
        yield _app(client, services, options, retry)
    except discord.LoginFailure:
        raise SettingsError(WRONG_TOKEN) from None
    except discord.HTTPException as error:
        raise ConnectionError(in_short(error)) from None
    finally:
        await client.close()


def _app(
    client: discord.Client, services: PlatformServices, options: DiscordOptions, retry: RetryPolicy
) -> PlatformApp[DiscordMessage]:
    services = services.heard_by(lambda: str(bot.own_id))
    used = UsedCommands(services.inbox, PLATFORM, services.commands)
    ornament_rate = services.ornament_rate
    bot = Bot(client=client, options=options, retry=retry, used=used, seal=services.seal, ornament_rate=ornament_rate)
    servers = _Servers(client, retry)

    async def find(said: DiscordMessage) -> DiscordMessageContext:
        if said.guild_id is not None:
            await servers.know(said.guild_id)
        return DiscordMessageContext(bot, await bot.channel(said.channel_id), said)

    return PlatformApp(services, find, emoji=options.emoji, most_bytes=options.max_book_bytes, notices=bot.notices)


class _Servers:
    """A cache of server data for workers without a gateway, kept for a few minutes."""

    def __init__(self, client: discord.Client, retry: RetryPolicy) -> None:
        self._client = client
        self._retry = retry
        self._locks = KeyedLocks()
        self._known: dict[int, float] = {}

    async def know(self, guild_id: int) -> None:
        """Load a server's roles, channels, threads and the bot's permissions, which the gateway would have sent.

        Raises:
            GoneError: the bot is no longer in the server.
            OutOfReachError: Discord can't be reached.
        """
        async with self._locks.of(guild_id):
            if time.monotonic() < self._known.get(guild_id, 0.0):
                return
            client = self._client
            http, own_id = client.http, client.user.id if client.user else 0
            try:
                guild, channels, active, member = await asyncio.gather(
                    ask(lambda: http.get_guild(guild_id, with_counts=False), self._retry),
                    ask(lambda: http.get_all_guild_channels(guild_id), self._retry),
                    ask(lambda: http.get_active_threads(guild_id), self._retry),
                    ask(lambda: http.get_member(guild_id, own_id), self._retry),
                )
            except RefusedError as error:
                raise GoneError(str(error)) from error
            told: Any = {**guild, "channels": channels, "threads": active["threads"], "members": [member]}
            # Discord's data is the only way to a server object that answers as the library's own.
            client._connection._add_guild_from_data(told)  # noqa: SLF001
            self._known[guild_id] = time.monotonic() + _KNOWN_FOR_S
