"""A bare discord.py client for the loopback Discord's own tests: it keeps what it heard, and does what a test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import discord
from discord import app_commands

from tests.patience import PATIENCE_S
from tests.platform_servers.discord.server import DiscordServer

INTENTS = discord.Intents(guilds=True, messages=True, reactions=True, message_content=True)

OnMessage = Callable[[discord.Message], Awaitable[object]]


class TrialBot(discord.Client):
    """`on` is called with each message that is not the bot's own; `came` tells of every event."""

    def __init__(self, *, intents: discord.Intents = INTENTS, on: OnMessage | None = None) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05, chunk_guilds_at_startup=False)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Message] = []
        self.events: list[str] = []
        self.came = asyncio.Condition()
        self._on = on

    async def setup_hook(self) -> None:
        if self.tree.get_commands():
            await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without discord.py's five seconds of patience."""

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        super().dispatch(event, *args, **kwargs)
        self.events.append(event)
        asyncio.ensure_future(self._tell())  # noqa: RUF006 - nobody waits for it

    async def on_message(self, message: discord.Message) -> None:
        if message.author == self.user:
            return
        self.heard.append(message)
        if self._on is not None:
            await self._on(message)

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S), self.came:
            await self.came.wait_for(true)

    async def _tell(self) -> None:
        async with self.came:
            self.came.notify_all()


@asynccontextmanager
async def running(bot: TrialBot, server: DiscordServer) -> AsyncIterator[TrialBot]:
    """The bot, ready; closed in the end, whatever it raised by then."""
    task = asyncio.create_task(bot.start(server.token))
    try:
        ready = asyncio.create_task(bot.until(lambda: "ready" in bot.events))
        await asyncio.wait([ready, task], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            ready.cancel()
            task.result()
        await ready
        yield bot
    finally:
        await bot.close()
        await asyncio.wait([task])
