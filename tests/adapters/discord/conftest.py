"""An application without any key, a club with a small book, and the real client against the loopback Discord."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.discord.client import ThusfarClient
from adapters.discord.options import DiscordOptions
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import LIGHTHOUSE, QUICK, house, services
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

__all__ = ["LIGHTHOUSE", "QUICK", "discord_server", "house", "services"]

ORGANISER = Author(member_id="discord:1", display_name="Olga")
Running = Callable[..., AbstractAsyncContextManager[ThusfarClient]]
ReadBook = Callable[..., Awaitable[Book]]


class QuickClient(ThusfarClient):
    """discord.py's gateway without its wait of five seconds between identifies."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """At once."""


@pytest.fixture
def club(discord_server: DiscordServer) -> Club:
    return discord_server.add_club()


@pytest.fixture
def options(discord_server: DiscordServer) -> DiscordOptions:
    return DiscordOptions(
        token=discord_server.token, api_base=discord_server.api_base, gateway_url=discord_server.gateway_url
    )


@pytest.fixture
def read_book(house: Application, tmp_path: Path, club: Club) -> ReadBook:
    """`await read_book(page="2")`: the club of a channel reads the small book, up to that page or unset."""

    async def read(
        channel: Channel = club.channel, *, page: str | None = "2", text: str = LIGHTHOUSE, title: str = "The Lamp"
    ) -> Book:
        path = tmp_path / f"{channel.id}.txt"
        path.write_text(text, encoding="utf-8")
        thread = place_of(channel)
        book = (await house.library.add(path, scope=thread.scope, title=title, author="N. N.")).book
        await house.threads.use(thread, book_id=book.book_id)
        if page is not None:
            await house.clubs().positions.set(
                await house.threads.club(thread), text=page, member=ORGANISER, confirmed=True
            )
        return book

    return read


@pytest.fixture
def running(services: PlatformServices, options: DiscordOptions) -> Running:
    """`async with running() as client:` the bot, ready; `answers` replaces core's service, `services` all services.

    Other keywords are options.
    """

    def start(
        answers: ScriptedAnswers | None = None,
        *,
        services: PlatformServices = services,
        message_content: bool = True,
        retry: RetryPolicy = QUICK,
        **changes: Any,
    ) -> AbstractAsyncContextManager[ThusfarClient]:
        seen = answers.instead_of(services) if answers else services
        return _running(seen, replace(options, **changes), message_content=message_content, retry=retry)

    return start


@pytest.fixture
def settling(running: Running) -> Running:
    """The same, but its end waits until nothing is left to do."""

    @asynccontextmanager
    async def start(*given: Any, **more: Any) -> AsyncIterator[ThusfarClient]:
        async with running(*given, **more) as client:
            yield client
            await client.intake.settled()

    return start


@pytest.fixture
def thread(discord_server: DiscordServer, club: Club) -> Channel:
    """A thread that the bot opened."""
    return discord_server.create_thread(club.channel, discord_server.bot, "Ours")


@asynccontextmanager
async def _running(
    services: PlatformServices, options: DiscordOptions, *, message_content: bool, retry: RetryPolicy
) -> AsyncIterator[ThusfarClient]:
    client = QuickClient(services, options, message_content=message_content, retry=retry, guild_ready_timeout=0.05)
    task = asyncio.create_task(client.start(options.token))
    caught_up = asyncio.create_task(client.caught_up())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait([task, caught_up], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        yield client
    finally:
        caught_up.cancel()
        await client.finish(within=5)
        await client.close()
        await asyncio.wait([task])


def place_of(channel: Channel) -> Thread:
    """The place of a channel's club, or of a DM, as core knows it."""
    if channel.guild is None:
        (person,) = (one for one in channel.recipients if not one.is_bot)
        return Thread(scope=f"discord:dm:{person.id}", place="dm", thread="dm")
    return Thread(scope=f"discord:{channel.guild.id}", place=str(channel.id), thread="")
