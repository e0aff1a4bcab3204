"""A server that removes the bot: its data is erased after some days, unless it returns."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.discord.client import ThusfarClient
from adapters.discord.options import DiscordOptions
from adapters.persistence.left_servers import SqlLeftServerRepository
from adapters.platform.services import PlatformServices
from adapters.slack.client import ThusfarSlack
from adapters.slack.manifest import manifest
from adapters.slack.options import SlackOptions
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.club.settings.left_servers import LeftServers
from core.domain.thread import Thread
from tests.adapters.discord import conftest as on_discord
from tests.adapters.platforms import LIGHTHOUSE, QUICK, house, services
from tests.adapters.slack import conftest as on_slack
from tests.builders import ADA
from tests.fakes.clock import FrozenClock
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer

__all__ = ["discord_server", "house", "services", "slack_server"]

_DAYS = 30
_BESIDE = {"alembic_version", "sqlite_sequence", "inbound_event"}
"""Not of a server: ids of events are pruned by themselves."""


class _WatchedServers(LeftServers):
    """Lets a test wait until a platform has reported a server."""

    def __init__(self, house: Application, clock: FrozenClock) -> None:
        super().__init__(
            servers=SqlLeftServerRepository(house.database), library=house.library, clock=clock, kept_days=_DAYS
        )
        self.told = asyncio.Event()

    async def left(self, scopes: Sequence[str]) -> None:
        await super().left(scopes)
        if scopes:
            self.told.set()

    async def there(self, scopes: Collection[str]) -> None:
        await super().there(scopes)
        self.told.set()

    async def wait(self, act: Callable[[], object]) -> None:
        """Do something, and wait until it was reported."""
        self.told.clear()
        act()
        async with asyncio.timeout(PATIENCE_S):
            await self.told.wait()


@dataclass(frozen=True, kw_only=True)
class _World:
    """An application with its platforms' services, and a clock that the test moves."""

    house: Application
    home: Path
    folder: Path
    clock: FrozenClock
    servers: _WatchedServers
    services: PlatformServices

    async def read(self, scope: str) -> None:
        """Let a club of a scope read the small book and ask about it."""
        path = self.folder / "lamp.txt"
        path.write_text(LIGHTHOUSE, encoding="utf-8")
        book = (await self.house.library.add(path, scope=scope, title="The Lamp")).book
        place, thread = Thread(scope=scope, place="7", thread=""), Thread(scope=scope, place="7", thread="t")
        await self.house.threads.use(place, book_id=book.book_id)
        await self.house.clubs().positions.set(
            await self.house.threads.club(place), text="2", member=ADA, confirmed=True
        )
        await self.house.ask.execute(
            AskRequest(question="Who lit the lamp?", book_id=book.book_id, page=2, thread=thread, author=ADA)
        )

    async def pass_days(self, days: int) -> None:
        """Let some days and a minute pass, and erase what is due."""
        self.clock.advance(timedelta(days=days, minutes=1))
        await self.servers.erase_due()

    def rows(self) -> dict[str, int]:
        """Return the number of rows of each table that is not empty."""
        with closing(sqlite3.connect(self.home / "thusfar.db")) as database:
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            counts = {
                table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 (its own tables)
                for table in tables
            }
        return {table: count for table, count in counts.items() if count and table not in _BESIDE}


@pytest.fixture
def world(house: Application, own_home: Path, tmp_path: Path, services: PlatformServices) -> _World:
    clock = FrozenClock()
    servers = _WatchedServers(house, clock)
    return _World(
        house=house,
        home=own_home,
        folder=tmp_path,
        clock=clock,
        servers=servers,
        services=replace(services, left_servers=servers),
    )


@asynccontextmanager
async def _discord(server: DiscordServer, services: PlatformServices) -> AsyncIterator[ThusfarClient]:
    options = DiscordOptions(token=server.token, api_base=server.api_base, gateway_url=server.gateway_url)
    async with on_discord._running(services, options, message_content=True, retry=QUICK) as client:
        yield client


@asynccontextmanager
async def _slack(server: SlackServer, services: PlatformServices) -> AsyncIterator[ThusfarSlack]:
    options = SlackOptions(bot_token=server.token, app_token=server.app_token, api_base=server.api_base, pause=0.0)
    async with on_slack._running(server, services, options, QUICK) as client:
        yield client


async def test_the_data_of_a_discord_server_that_left_is_erased_after_some_days(
    world: _World, discord_server: DiscordServer, caplog: pytest.LogCaptureFixture
) -> None:
    club = discord_server.add_club()
    scope = f"discord:{club.guild.id}"
    await world.read(scope)
    assert {"book", "page", "chunk", "club", "reading", "conversation", "turn", "message"} <= set(world.rows())
    with caplog.at_level(logging.WARNING, logger="core.club.settings.left_servers"):
        async with _discord(discord_server, world.services):
            await world.servers.wait(lambda: discord_server.remove_guild(club.guild))
        await world.pass_days(_DAYS - 1)
        assert "turn" in world.rows()
        await world.pass_days(1)
    assert world.rows() == {}
    assert list((world.home / "indexes").iterdir()) == []
    assert caplog.messages == [
        f"{scope} removed the bot: its data will be erased in 30 days.",
        f"{scope} removed the bot 30 days ago: 1 books and 1 clubs are erased.",
    ]


async def test_a_discord_server_that_returns_in_time_keeps_all(world: _World, discord_server: DiscordServer) -> None:
    club = discord_server.add_club()
    await world.read(f"discord:{club.guild.id}")
    kept = world.rows()
    async with _discord(discord_server, world.services):
        await world.servers.wait(lambda: discord_server.remove_guild(club.guild))
        await world.pass_days(_DAYS - 1)
        await world.servers.wait(lambda: discord_server.take_back(club.guild))
    await world.pass_days(_DAYS)
    assert {table: count for table, count in world.rows().items() if table in kept} == kept


async def test_a_removal_while_the_bot_was_offline_is_noticed_at_the_start(
    world: _World, discord_server: DiscordServer
) -> None:
    here, gone = f"discord:{discord_server.add_club().guild.id}", "discord:1"
    for scope in (here, gone):
        await world.read(scope)
    async with _discord(discord_server, world.services):
        pass
    await world.pass_days(_DAYS)
    left = [await world.house.library.in_scope(scope=scope) for scope in (here, gone)]
    assert [len(books) for books in left] == [1, 0]


@pytest.mark.parametrize(
    ("event", "leaves"),
    [
        ({"type": "app_uninstalled"}, True),
        ({"type": "tokens_revoked", "tokens": {"bot": ["U1"]}}, True),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U1"]}}, False),
    ],
    ids=["uninstalled", "bot token revoked", "a member's token revoked"],
)
async def test_the_data_of_a_slack_workspace_that_left_is_erased_after_some_days(
    world: _World, event: dict[str, object], *, leaves: bool
) -> None:
    events = manifest()["settings"]["event_subscriptions"]["bot_events"]
    async with SlackServer(events=events) as server:
        await world.read(f"slack:{server.platform.team_id}")
        async with _slack(server, world.services):
            delivery = server.platform.tell(str(event["type"]), event)
            assert delivery is not None
            await server.wait_for(lambda: delivery.is_settled)
    await world.pass_days(_DAYS)
    assert (world.rows() == {}) is leaves


async def test_a_slack_workspace_that_has_the_app_again_keeps_all(world: _World, slack_server: SlackServer) -> None:
    scope = f"slack:{slack_server.platform.team_id}"
    await world.read(scope)
    await world.servers.left([scope])
    async with _slack(slack_server, world.services):
        pass
    await world.pass_days(_DAYS)
    assert "turn" in world.rows()
