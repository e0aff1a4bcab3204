"""A question is answered exactly once, even if the turn is interrupted."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.client import ThusfarSlack
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.killing import KilledBeforeFinishing
from tests.adapters.passing_on import PassingOn
from tests.adapters.platforms import QUICK_TO_LOOK
from tests.adapters.slack.conftest import ReadBook, Running
from tests.patience import PATIENCE_S
from tests.platform_servers.slack.delivery import TIMEOUT
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


class FailingInbox(PassingOn):
    """A store that cannot be written to for a while; `then` is called after each failure."""

    def __init__(self, inbox: Inbox, *, failures: int, then: Callable[[], None]) -> None:
        super().__init__(inbox)
        self._failures = failures
        self._then = then

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        if self._failures:
            self._failures -= 1
            asyncio.get_running_loop().call_soon(self._then)
            raise OSError("disk full")
        return await super().take_in(event, finished=finished)


async def _kill(client: ThusfarSlack) -> None:
    """End a client like a kill: no running work goes on."""
    await client.finish(within=0)


@pytest.mark.parametrize("over_http", [False, True], ids=["socket", "http"])
async def test_a_message_is_stored_before_it_is_acknowledged(
    slack_server: SlackServer, club: Club, settling: Running, services: PlatformServices, over_http: bool
) -> None:
    deliveries = slack_server.platform.deliveries
    deliveries.ack_within, deliveries.retry_after = 60.0, [0.0, 0.0, 0.0]
    unacknowledged: list[bool] = []

    def lose_patience() -> None:
        (delivery,) = slack_server.deliveries_of("message")[:1]
        unacknowledged.append(delivery.acked is None)
        deliveries.failed(delivery, delivery.attempts[-1], TIMEOUT)

    answers = ScriptedAnswers()
    failing = FailingInbox(services.inbox, failures=2, then=lose_patience)
    async with settling(services=replace(answers.instead_of(services), inbox=failing), over_http=over_http):
        direct = slack_server.dm(club.ada)
        slack_server.say(direct, club.ada, "Who?")
        await slack_server.posted(direct)
        await slack_server.settled()
    (delivery,) = slack_server.deliveries_of("message")[:1]
    assert unacknowledged == [True, True]
    assert len(delivery.attempts) == 3
    assert len(slack_server.by_bot(direct)) == 1


async def test_a_kill_between_the_post_and_its_record_leaves_one_answer_in_a_dm(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    place = slack_server.dm(club.ada)
    answers = ScriptedAnswers("A word and another. " * 900)
    inbox = KilledBeforeFinishing(services.inbox)
    left = replace(answers.instead_of(services), inbox=inbox)
    async with running(services=left, retry=QUICK_TO_LOOK) as client:
        slack_server.mention(place, club.ada, "Who?")
        async with asyncio.timeout(PATIENCE_S):
            await inbox.finishing.wait()
        await _kill(client)
    async with running(answers) as client:
        await client.settled()
    assert len(answers.asked) == 1
    assert len(slack_server.by_bot(place)) == 2
    assert await services.inbox.unfinished("slack") == []


async def test_after_a_kill_between_two_parts_only_the_second_is_posted(
    slack_server: SlackServer, club: Club, running: Running
) -> None:
    answers = ScriptedAnswers("A word and another. " * 900)
    async with running(answers, pause=0.3) as client:
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
        await _kill(client)
    assert len(slack_server.replies_to(asked)) == 1
    async with running(answers) as client:
        await client.settled()
    parts = slack_server.replies_to(asked)
    assert sum(part.content.count("A word") for part in parts) == 900
    assert len(parts) == 2


async def test_a_said_command_that_ran_before_a_kill_is_announced_once(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    inbox = KilledBeforeFinishing(services.inbox)
    async with running(services=replace(services, inbox=inbox)) as client:
        slack_server.mention(club.channel, club.ada, "where")
        async with asyncio.timeout(PATIENCE_S):
            await inbox.finishing.wait()
        await _kill(client)
    async with running() as client:
        await client.settled()
    assert len(slack_server.by_bot(club.channel)) == 1
