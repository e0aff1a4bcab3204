"""A connection that fails while it serves: it is reopened, or ends with a sentence that says how to fix it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack import bolt as bolt_module
from adapters.slack import connection as connection_module
from adapters.slack.calls import NO_SOCKET_MODE, WRONG_APP_TOKEN, WRONG_TOKEN
from adapters.slack.connection import SlackConnection
from adapters.slack.options import SlackOptions
from bot.supervise import Backoff, supervise
from core.domain.errors import SettingsError
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.slack import sockets
from tests.platform_servers.slack.faults import refused
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

_PING_S = 0.05
Serving = Callable[..., AbstractAsyncContextManager["asyncio.Task[None]"]]


@pytest.fixture
def answers() -> ScriptedAnswers:
    return ScriptedAnswers("To {asked}")


@pytest.fixture
def serving(services: PlatformServices, options: SlackOptions, answers: ScriptedAnswers) -> Serving:
    """`async with serving(stuck=0.2) as task:` the bot under supervision, ready; keywords are the connection's."""
    return lambda **times: _serving(answers.instead_of(services), options, times)


@asynccontextmanager
async def _serving(
    services: PlatformServices, options: SlackOptions, times: dict[str, Any]
) -> AsyncIterator["asyncio.Task[None]"]:
    stopping = asyncio.Event()
    connection = SlackConnection(services, options, retry=QUICK, **{"ping": _PING_S} | times)
    backoff = Backoff(first=0.001, longest=0.01)
    task = asyncio.create_task(supervise("Slack", connection.attempt, stopping=stopping, backoff=backoff))
    try:
        await asyncio.wait_for(connection.ready(), PATIENCE_S)
        yield task
    finally:
        stopping.set()
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])


async def test_a_revoked_token_ends_it_and_leaves_the_question_to_the_next_start(
    slack_server: SlackServer, club: Club, serving: Serving, services: PlatformServices, answers: ScriptedAnswers
) -> None:
    answers.hold("Who?")
    async with serving() as task:
        slack_server.mention(club.channel, club.ada, "Who?")
        await answers.was_asked()
        with slack_server.api_down(refused("token_revoked")):
            answers.release("Who?")
            with pytest.raises(SettingsError) as raised:
                await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(raised.value) == WRONG_TOKEN
    assert [one.payload["text"] for one in await services.inbox.unfinished("slack")] == ["Who?"]
    async with serving():
        await slack_server.posted(club.channel)
    assert answers.texts == ["Who?"]
    assert len(slack_server.by_bot(club.channel)) == 1


async def test_a_refusal_not_caused_by_the_token_ends_nothing(
    slack_server: SlackServer, club: Club, serving: Serving
) -> None:
    async with serving() as task:
        slack_server.fail_next("users.info", refused("invalid_auth"))
        tests = len(slack_server.calls_of("auth.test"))
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who?"))
        await slack_server.wait_for(lambda: len(slack_server.calls_of("auth.test")) > tests)
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "And who?"))
        assert not task.done()


@pytest.mark.parametrize(
    ("code", "sentence"), [("invalid_auth", WRONG_APP_TOKEN), ("socket_mode_not_enabled", NO_SOCKET_MODE)]
)
async def test_a_refused_socket_ends_it_in_one_sentence(
    slack_server: SlackServer, club: Club, serving: Serving, code: str, sentence: str
) -> None:
    async with serving(stuck=0.2) as task:
        slack_server.fail_next("apps.connections.open", refused(code), times=1_000)
        slack_server.abort_sockets()
        with pytest.raises(SettingsError) as raised:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    slack_server.web_api.plans.clear()
    assert str(raised.value) == sentence


async def test_an_address_that_refuses_sockets_is_not_retried_for_ever(
    slack_server: SlackServer,
    club: Club,
    serving: Serving,
    answers: ScriptedAnswers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving(stuck=0.3):
        issue = slack_server.sockets.issue
        monkeypatch.setattr(slack_server.sockets, "issue", lambda: issue().replace("ticket=", "ticket=used-up-"))
        asked_for = len(slack_server.calls_of("apps.connections.open"))
        slack_server.abort_sockets()
        await slack_server.wait_for(lambda: len(slack_server.calls_of("apps.connections.open")) > asked_for)
        monkeypatch.undo()
        meanwhile = slack_server.mention(club.channel, club.ada, "Meanwhile?")
        await slack_server.answer_to(meanwhile)
    assert answers.texts == ["Meanwhile?"]


async def test_a_socket_that_slack_closes_at_once_is_not_reopened_in_a_loop(
    slack_server: SlackServer, club: Club, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []
    paused, go_on = asyncio.Event(), asyncio.Event()

    async def pause(seconds: float) -> None:
        if seconds > 0:
            held.append(seconds)
            paused.set()
            await go_on.wait()

    # The clock is frozen: even on a slow machine, all sockets are requested within one interval.
    still = SimpleNamespace(sleep=pause, get_running_loop=lambda: SimpleNamespace(time=lambda: 0.0))
    monkeypatch.setattr(bolt_module, "asyncio", still)
    async with serving():
        monkeypatch.setattr(sockets, "LARGEST_NUMBER", 0)
        before = len(slack_server.calls_of("apps.connections.open"))
        slack_server.abort_sockets()
        async with asyncio.timeout(PATIENCE_S):
            await paused.wait()
        # The first of the three was the start's; slack_sdk alone would open hundreds.
        assert len(slack_server.calls_of("apps.connections.open")) == before + 2
        assert held == [_PING_S]
        go_on.set()


async def test_messages_lost_with_a_broken_socket_are_answered_before_later_ones(
    slack_server: SlackServer, club: Club, serving: Serving, answers: ScriptedAnswers
) -> None:
    """Slack brings the lost one once more in an hour; slack_sdk alone would open another socket in one."""
    slack_server.platform.deliveries.retry_after = [3_600.0]
    async with serving(ping=3_600.0):
        first = slack_server.mention(club.channel, club.ada, "First?")
        await slack_server.answer_to(first)
        lost = slack_server.reply(first, club.ada, "Lost?")
        slack_server.abort_sockets()
        after = slack_server.reply(first, club.ben, "After?")
        await slack_server.wait_for(lambda: {"Lost?", "After?"} <= {one.text for one in answers.asked})
    assert answers.texts == ["First?", "Lost?", "After?"], (lost, after)


async def test_messages_from_while_the_machine_slept_are_fetched(
    slack_server: SlackServer,
    club: Club,
    serving: Serving,
    answers: ScriptedAnswers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving():
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Before?"))
        events, slack_server.platform.events = slack_server.platform.events, frozenset()
        slept = slack_server.mention(club.channel, club.ada, "Is anybody there?")
        slack_server.platform.events = events
        # The socket looks as it did: nothing but the clock on the wall tells of the time between.
        monkeypatch.setattr(connection_module, "time", SimpleNamespace(time=lambda: time.time() + 3_600))
        await slack_server.answer_to(slept)
    assert answers.texts == ["Before?", "Is anybody there?"]
