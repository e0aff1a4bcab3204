"""The bot as `serve` runs it: one connection after another, under supervision."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from adapters.discord.connection import DiscordConnection
from adapters.discord.options import DiscordOptions
from adapters.platform.services import PlatformServices
from bot.supervise import Backoff, supervise
from tests.adapters.discord.conftest import QuickClient
from tests.adapters.platforms import QUICK

AT_ONCE = Backoff(first=0.001, longest=0.01)


@asynccontextmanager
async def supervised_bot(
    services: PlatformServices, options: DiscordOptions, *, stuck: float = 20.0, later: float = QUICK.later
) -> AsyncIterator["asyncio.Task[None]"]:
    """`async with supervised_bot(services, options) as task:` the task ends on errors that waiting cannot fix.

    `stuck` doubles after each attempt, so that even on a slow machine one attempt gets a session.
    """
    stopping = asyncio.Event()
    retry = replace(QUICK, later=later)
    connection = DiscordConnection(
        lambda message_content: QuickClient(
            services, options, message_content=message_content, retry=retry, guild_ready_timeout=0.05
        ),
        token=options.token,
        look_after=0.02,
        stuck=stuck,
    )

    async def attempt() -> None:
        try:
            await connection.attempt()
        finally:
            connection._stuck *= 2

    task = asyncio.create_task(supervise("Discord", attempt, stopping=stopping, backoff=AT_ONCE))
    try:
        yield task
    finally:
        stopping.set()
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])
