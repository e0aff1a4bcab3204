"""An application without any key, a club with a small book, and the real client against the loopback Slack."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.slack.client import ThusfarSlack
from adapters.slack.connection import EVENTS_PATH, SlackConnection
from adapters.slack.options import SlackOptions
from bot.wiring import Application
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import LIGHTHOUSE, QUICK, house, services
from tests.patience import PATIENCE_S
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Channel, ChannelKind

__all__ = ["LIGHTHOUSE", "QUICK", "house", "services", "slack_server"]

ORGANISER = Author(member_id="slack:U1", display_name="Olga")

Running = Callable[..., AbstractAsyncContextManager[ThusfarSlack]]
ReadBook = Callable[..., Awaitable[Book]]


@pytest.fixture
def club(slack_server: SlackServer) -> Club:
    return slack_server.add_club()


@pytest.fixture
def options(slack_server: SlackServer) -> SlackOptions:
    return SlackOptions(
        bot_token=slack_server.token, app_token=slack_server.app_token, api_base=slack_server.api_base, pause=0.0
    )


@pytest.fixture
def read_book(house: Application, tmp_path: Path, slack_server: SlackServer, club: Club) -> ReadBook:
    """`await read_book(page="2")`: the club of a channel reads the small book, up to that page or unset."""

    async def read(
        channel: Channel = club.channel, *, page: str | None = "2", text: str = LIGHTHOUSE, title: str = "The Lamp"
    ) -> Book:
        path = tmp_path / f"{channel.id}.txt"
        path.write_text(text, encoding="utf-8")
        thread = place_of(slack_server, channel)
        book = (await house.library.add(path, scope=thread.scope, title=title, author="N. N.")).book
        await house.threads.use(thread, book_id=book.book_id)
        if page is not None:
            await house.clubs().positions.set(
                await house.threads.club(thread), text=page, member=ORGANISER, confirmed=True
            )
        return book

    return read


@pytest.fixture
def running(services: PlatformServices, options: SlackOptions, slack_server: SlackServer) -> Running:
    """`async with running() as client:` the bot, ready; `answers` replaces core's service, `services` all services.

    Other keywords are options. With `over_http` it listens for requests instead of opening a socket.
    """

    def start(
        answers: ScriptedAnswers | None = None,
        *,
        services: PlatformServices = services,
        retry: RetryPolicy = QUICK,
        over_http: bool = False,
        **changes: Any,
    ) -> AbstractAsyncContextManager[ThusfarSlack]:
        if over_http:
            changes = {
                "app_token": None,
                "signing_secret": slack_server.signing_secret,
                "host": "127.0.0.1",
                "port": 0,
            } | changes
        seen = answers.instead_of(services) if answers else services
        return _running(slack_server, seen, replace(options, **changes), retry)

    return start


@pytest.fixture
def settling(running: Running) -> Running:
    """The same, but its end waits until nothing is left to do."""

    @asynccontextmanager
    async def start(*given: Any, **more: Any) -> AsyncIterator[ThusfarSlack]:
        async with running(*given, **more) as client:
            yield client
            await client.settled()

    return start


@asynccontextmanager
async def _running(
    server: SlackServer, services: PlatformServices, options: SlackOptions, retry: RetryPolicy
) -> AsyncIterator[ThusfarSlack]:
    connection = SlackConnection(services, options, retry=retry, ping=1.0)
    task = asyncio.create_task(connection.attempt())
    ready = asyncio.create_task(connection.ready())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        if options.app_token is None:
            server.use_http(f"http://127.0.0.1:{connection.port}{EVENTS_PATH}")
        assert connection.client is not None
        yield connection.client
    finally:
        ready.cancel()
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])


def place_of(server: SlackServer, channel: Channel, thread_ts: str = "") -> Thread:
    """The place of a channel's club, or of a DM, as core knows it."""
    team_id = server.platform.team_id
    if channel.kind is ChannelKind.DM:
        (person,) = (one for one in channel.members if not one.is_bot)
        return Thread(scope=f"slack:dm:{team_id}:{person.id}", place="dm", thread="dm")
    return Thread(scope=f"slack:{team_id}", place=channel.id, thread=thread_ts)
