"""The `stage` fixture: every test here runs on Discord and on Slack."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.discord.options import DiscordOptions
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.slack.options import SlackOptions
from bot.wiring import Application
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import _running as run_on_discord
from tests.adapters.platform.stages import DiscordStage, Serving, SlackStage, Stage
from tests.adapters.platforms import LIGHTHOUSE, QUICK, house, services
from tests.adapters.slack.conftest import _running as run_in_slack
from tests.platform_servers.discord.pointing import pointed_at
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.server import SlackServer

__all__ = ["house", "services"]

ReadBook = Callable[..., Awaitable[Book]]


@pytest_asyncio.fixture(params=["discord", "slack"])
async def stage(request: pytest.FixtureRequest, services: PlatformServices) -> AsyncIterator[Stage]:
    """A platform with a club in it."""
    async with staged(request.param, services) as made:
        yield made


@asynccontextmanager
async def staged(platform: str, services: PlatformServices) -> AsyncIterator[Stage]:
    """A platform of this name with a club in it."""
    if platform == "discord":
        async with DiscordServer() as discord:
            with pointed_at(discord):
                yield _on_discord(discord, services)
    else:
        async with SlackServer() as slack:
            yield _in_slack(slack, services)


def _serving(services: Serving, own: PlatformServices) -> PlatformServices:
    return services.instead_of(own) if isinstance(services, ScriptedAnswers) else services


def _on_discord(server: DiscordServer, own: PlatformServices) -> Stage:
    options = DiscordOptions(token=server.token, api_base=server.api_base, gateway_url=server.gateway_url)

    def start(*, services: Serving = own, retry: RetryPolicy = QUICK) -> AbstractAsyncContextManager[object]:
        return run_on_discord(_serving(services, own), options, message_content=True, retry=retry)

    return DiscordStage(server, server.add_club(), start)


def _in_slack(server: SlackServer, own: PlatformServices) -> Stage:
    options = SlackOptions(bot_token=server.token, app_token=server.app_token, api_base=server.api_base, pause=0.0)

    def start(*, services: Serving = own, retry: RetryPolicy = QUICK) -> AbstractAsyncContextManager[object]:
        return run_in_slack(server, _serving(services, own), options, retry)

    return SlackStage(server, server.add_club(), start)


@pytest.fixture
def read_book(house: Application, tmp_path: Path, stage: Stage) -> ReadBook:
    """`await read_book(page="2")`: the club reads the small book, up to that page or unset; `at` another place."""

    async def read(*, page: str | None = "2", title: str = "The Lamp", at: Thread | None = None) -> Book:
        path = tmp_path / "lamp.txt"
        path.write_text(LIGHTHOUSE, encoding="utf-8")
        place = at or stage.place()
        book = (await house.library.add(path, scope=place.scope, title=title, author="N. N.")).book
        await house.threads.use(place, book_id=book.book_id)
        if page is not None:
            organiser = Author(member_id=f"{stage.name}:1", display_name="Olga")
            await house.clubs().positions.set(
                await house.threads.club(place), text=page, member=organiser, confirmed=True
            )
        return book

    return read
