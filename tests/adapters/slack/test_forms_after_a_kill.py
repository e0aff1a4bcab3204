"""Forms that were sent to a process that died: a question is answered, of the others their sender is told."""

import asyncio

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.manifest import SHORTCUT
from bot.platforms import platform_services
from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import page_of
from tests.adapters.watching import watched
from tests.patience import PATIENCE_S
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def _sent_before_a_kill(
    server: SlackServer, club: Club, running: Running, services: PlatformServices, line: str
) -> None:
    async with running() as client:
        answer = await server.answer_to(server.mention(club.channel, club.ada, "Who lit the lamp?"))
        await client.settled()
    slow, commands = watched(services)
    commands.open.clear()
    async with running(services=slow) as client:
        used = server.shortcut(SHORTCUT, message=answer, user=club.ben)
        await server.responded(used)
        assert used.modal is not None
        server.submit(used.modal, {"text": line})
        async with asyncio.timeout(PATIENCE_S):
            await commands.began.wait()
        assert len(await services.inbox.unfinished("slack/used")) == 1
        await client.finish(within=0)  # as a kill: nothing of what is under way goes on


@pytest.mark.parametrize(
    ("line", "told"),
    [("setpage 3", "`setpage`"), ("ask Who mended the window?", "Marrable mended it")],
    ids=["a page", "a question"],
)
async def test_what_a_form_says_is_not_lost(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    house: Application,
    line: str,
    told: str,
) -> None:
    services = platform_services(house)
    await read_book(club.channel)
    await _sent_before_a_kill(slack_server, club, running, services, line)
    async with running() as client:
        await slack_server.wait_for(
            lambda: [one for one in slack_server.seen_by(club.ben, club.channel) if told in one.content]
        )
        await client.settled()
    assert await services.inbox.unfinished("slack/used") == []
    assert await page_of(house, slack_server, club.channel) == 2
