"""Forms sent to a process that died: questions are answered, senders of other forms are told."""

import asyncio
import json

import pytest

from adapters.platform.buttons import NOT_VALID
from adapters.platform.services import PlatformServices
from adapters.slack.forms import LINE
from adapters.slack.manifest import SHORTCUT
from bot.platforms import platform_services
from bot.wiring import Application
from core.domain.inbound import InboundEvent
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
        await client.finish(within=0)  # like a kill: no running work goes on


@pytest.mark.parametrize(
    ("line", "told"),
    [("setpage 3", "`setpage`"), ("ask Who mended the window?", "Marrable mended it")],
    ids=["a page", "a question"],
)
async def test_a_form_that_was_sent_is_not_lost(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    house: Application,
    line: str,
    told: str,
) -> None:
    services = platform_services(house)
    await read_book()
    await _sent_before_a_kill(slack_server, club, running, services, line)
    async with running() as client:
        await slack_server.wait_for(
            lambda: [one for one in slack_server.seen_by(club.ben, club.channel) if told in one.content]
        )
        await client.settled()
    assert await services.inbox.unfinished("slack/used") == []
    assert await page_of(house, slack_server, club.channel) == 2


@pytest.mark.parametrize("seal", ["A" * 12, "\ud800" * 12, None], ids=["another", "no text", "nested too deep"])
async def test_a_forged_form_left_by_an_earlier_process_does_nothing(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    services: PlatformServices,
    seal: str | None,
) -> None:
    await read_book()
    forged = "[" * 3000 if seal is None else json.dumps({"words": "", "seal": seal, "spot": f"{club.channel.id}:"})
    typed = {"values": {"text": {"text": {"value": "ask Who mended the window?"}}}}
    view = {"id": "V1", "callback_id": LINE, "private_metadata": forged, "state": typed}
    body = {"user": {"id": club.ben.id}, "trigger_id": "1", "view": view}
    left: dict[str, object] = {"words": "ask", "body": body}
    await services.inbox.take_in(InboundEvent(platform="slack/used", place=club.ben.id, message_id="V1", payload=left))
    async with running() as client:
        await client.settled()
    told = [one.content for one in slack_server.by_bot(slack_server.dm(club.ben))] if seal is None else []
    told += [one.content for one in slack_server.seen_by(club.ben, club.channel)]
    assert [one for one in told if "mended" in one] == []
    assert seal is None or told == [NOT_VALID]
