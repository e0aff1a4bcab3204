"""Connection errors never end the process, except errors that waiting cannot fix."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.calls import NO_SOCKET_MODE, NOT_A_BOT, WRONG_APP_TOKEN, WRONG_TOKEN
from adapters.slack.connection import SlackConnection
from adapters.slack.options import SlackOptions
from bot.supervise import Backoff, supervise
from core.domain.errors import SettingsError
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.slack.faults import Fault, broken, rate_limited, refused, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

AT_ONCE = Backoff(first=0.001, longest=0.01)

Supervised = Callable[..., AbstractAsyncContextManager["asyncio.Task[None]"]]


@pytest.fixture
def supervised(services: PlatformServices, options: SlackOptions) -> Supervised:
    return lambda **changes: _supervised(ScriptedAnswers().instead_of(services), replace(options, **changes))


@asynccontextmanager
async def _supervised(services: PlatformServices, options: SlackOptions) -> AsyncIterator["asyncio.Task[None]"]:
    stopping = asyncio.Event()
    connection = SlackConnection(services, options, retry=replace(QUICK, total=0.1), ping=0.2)
    task = asyncio.create_task(supervise("Slack", connection.attempt, stopping=stopping, backoff=AT_ONCE))
    try:
        yield task
    finally:
        stopping.set()
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
@pytest.mark.parametrize("fault", [broken(503), reset(accepted=False), rate_limited(1)], ids=["503", "reset", "429"])
async def test_a_start_that_fails_is_tried_again(
    slack_server: SlackServer, club: Club, supervised: Supervised, method: str, fault: Fault
) -> None:
    slack_server.fail_next(method, fault, times=2)
    async with supervised():
        await slack_server.connected()
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who?"))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({"bot_token": "xoxb-of-somebody-else"}, WRONG_TOKEN), ({"app_token": "xapp-of-somebody-else"}, WRONG_APP_TOKEN)],
    ids=["bot token", "app token"],
)
async def test_a_wrong_token_ends_it_in_one_sentence(
    slack_server: SlackServer, supervised: Supervised, changes: dict[str, Any], sentence: str
) -> None:
    async with supervised(**changes) as task:
        with pytest.raises(SettingsError, match="Slack doesn't accept") as raised:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(raised.value) == sentence
    assert "somebody" not in str(raised.value)


@pytest.mark.parametrize(
    ("method", "fault", "sentence"),
    [
        ("auth.test", refused("account_inactive"), WRONG_TOKEN),
        ("auth.test", refused("token_revoked"), WRONG_TOKEN),
        ("auth.test", Fault(status=200, body={"ok": True, "user_id": "U1", "team_id": "T1"}), NOT_A_BOT),
        ("apps.connections.open", refused("socket_mode_not_enabled"), NO_SOCKET_MODE),
        ("apps.connections.open", refused("missing_scope", needed="connections:write"), WRONG_APP_TOKEN),
    ],
)
async def test_an_error_that_waiting_cannot_fix_is_reported(
    slack_server: SlackServer, supervised: Supervised, method: str, fault: Fault, sentence: str
) -> None:
    slack_server.fail_next(method, fault)
    async with supervised() as task:
        with pytest.raises(SettingsError) as raised:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(raised.value) == sentence
