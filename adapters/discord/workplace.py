"""A process that answers on Discord without listening there: it knows servers by the HTTP API alone."""

import asyncio
import logging
import time
from typing import Any, Final

import discord
from typing_extensions import override

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
from adapters.platform.worker import Shift, Worker, Workplace
from core.domain.errors import SettingsError
from core.domain.keyed_locks import KeyedLocks
from core.ports.work import WorkQueue

_log = logging.getLogger(__name__)

_KNOWN_FOR_S: Final = 300.0


class DiscordWorkplace(Workplace[DiscordMessage]):
    """Answers what the gateway's process has heard, until it is told to finish."""

    def __init__(
        self,
        services: PlatformServices,
        options: DiscordOptions,
        work: WorkQueue,
        *,
        shift: Shift,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
    ) -> None:
        super().__init__()
        self._services = services
        self._options = options
        self._work = work
        self._shift = shift
        self._retry = retry
        self._locks = KeyedLocks()
        self._known: dict[int, float] = {}

    @override
    async def attempt(self) -> None:
        """Log in, and work. Raises SettingsError: the token is wrong."""
        set_up(api_base=self._options.api_base)
        # It never connects to the gateway: the intents only keep the library from warning of those that are missing.
        client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
        try:
            await client.login(self._options.token)
            self._known.clear()
            await self._work_as(client)
        except discord.LoginFailure:
            raise SettingsError(WRONG_TOKEN) from None
        except discord.HTTPException as error:
            raise ConnectionError(in_short(error)) from None
        finally:
            await client.close()

    async def _work_as(self, client: discord.Client) -> None:
        services = self._services.heard_by(lambda: str(bot.own_id))
        used = UsedCommands(services.inbox, PLATFORM, services.commands)
        bot = Bot(
            client=client,
            options=self._options,
            retry=self._retry,
            used=used,
            seal=services.seal,
            ornament_rate=services.ornament_rate,
        )

        async def find(said: DiscordMessage) -> DiscordMessageContext:
            if said.guild_id is not None:
                await self._know(client, said.guild_id)
            return DiscordMessageContext(bot, await bot.channel(said.channel_id), said)

        options = self._options
        app = PlatformApp(services, find, emoji=options.emoji, most_bytes=options.max_book_bytes, notices=bot.notices)
        read = DiscordMessage.from_payload
        await self._work_by(Worker(platform=PLATFORM, read=read, app=app, work=self._work, shift=self._shift))

    async def _know(self, client: discord.Client, guild_id: int) -> None:
        """Ask what the gateway would have told of a server: its roles, channels and threads, and what the bot may do.

        Raises:
            GoneError: the bot is not there any more.
            OutOfReachError: Discord is out of reach.
        """
        async with self._locks.of(guild_id):
            if time.monotonic() < self._known.get(guild_id, 0.0):
                return
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
            # What Discord told is the one way to a server that answers as the library's own does.
            client._connection._add_guild_from_data(told)  # noqa: SLF001
            self._known[guild_id] = time.monotonic() + _KNOWN_FOR_S
