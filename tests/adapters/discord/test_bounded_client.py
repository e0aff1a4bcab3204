"""Limits on discord.py: retries after a global rate limit, new sessions, and waits for a silent gateway."""

import asyncio
from dataclasses import replace

import pytest

from adapters.discord import bounded_client
from adapters.discord.bounded_client import NewSessions
from adapters.discord.client import ThusfarClient
from adapters.discord.options import DiscordOptions
from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.discord.supervised import supervised_bot
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.faults import Fault, rate_limited
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

_TYPING = "/channels/{channel}/typing"
_A_BAN = "<!doctype html>\n<title>Access denied | Error 1015</title>\n" + "<p>You are being rate limited.</p>\n" * 200


async def test_a_typing_notice_at_the_global_limit_does_not_block_answers(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    settling: Running,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounded_client, "_LONGEST_GLOBAL_S", 0.8)
    answers = ScriptedAnswers(held=["Who?"])
    hasty = replace(QUICK, one_call=0.3)
    async with settling(answers, retry=hasty):
        # The answer is there before the limit is over, and the notice is given up.
        discord_server.fail_next("POST", _TYPING, rate_limited(10 * PATIENCE_S, is_global=True))
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: discord_server.calls_of("POST", _TYPING))
        answers.release("Who?")
        await discord_server.answer_to(asked)


def test_new_sessions_stay_below_discords_daily_limit() -> None:
    now, begun = 0.0, 0
    sessions = NewSessions(clock=lambda: now)
    while now < 86_400:
        now += sessions.pause(first=False)
        sessions.count()
        begun += 1
    assert 800 < begun < 1_000


async def test_each_new_session_is_counted(
    discord_server: DiscordServer,
    services: PlatformServices,
    options: DiscordOptions,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(bounded_client, "_APART_S", 0.0)
    # Each session is ready at once: discord.py would fail on one that becomes ready after the end.
    client = ThusfarClient(services, options, guild_ready_timeout=0.0)
    client.new_sessions = NewSessions(at_once=2, another_after=0.2, clock=lambda: 0.0)
    task = asyncio.create_task(client.start(options.token))
    await discord_server.identified()
    began = asyncio.get_running_loop().time()
    for number in (2, 3):
        discord_server.gateway.invalidate(resumable=False)
        await discord_server.identified(number)
    assert asyncio.get_running_loop().time() - began >= 0.2
    await client.close()
    await asyncio.wait([task])
    assert "Discord ends too many sessions" in caplog.text


async def test_a_silent_gateway_is_left_for_a_new_attempt(
    discord_server: DiscordServer, club: Club, thread: Channel, services: PlatformServices, options: DiscordOptions
) -> None:
    discord_server.gateway.say_nothing_at_identify(1)
    async with supervised_bot(ScriptedAnswers().instead_of(services), options, stuck=0.2):
        await discord_server.identified(2)
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))


async def test_a_long_pause_of_discord_py_is_cut_short_and_missed_messages_are_answered(
    discord_server: DiscordServer, club: Club, thread: Channel, services: PlatformServices, options: DiscordOptions
) -> None:
    answers = ScriptedAnswers()
    async with supervised_bot(answers.instead_of(services), options, stuck=0.5):
        await discord_server.identified()
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        # Each failure doubles the longest pause between two attempts, as in an outage.
        discord_server.gateway.refuse_connections(4)
        discord_server.gateway.abort()
        missed = discord_server.say(thread, club.ada, "Missed?")
        await discord_server.answer_to(missed)
    assert answers.texts == ["Before?", "Missed?"]


async def test_a_ban_by_discords_proxy_is_one_line_in_the_log(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    services: PlatformServices,
    options: DiscordOptions,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ban = Fault(status=429, body=_A_BAN, headers={"Content-Type": "text/html", "Retry-After": "1"})
    discord_server.fail_next("GET", "/users/@me", ban, times=2)
    async with supervised_bot(ScriptedAnswers().instead_of(services), options):
        await discord_server.identified()
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))
    told = [one for one in caplog.records if one.name == "bot.supervise"]
    assert len(told) == 2
    assert all(len(one.getMessage()) < 300 and "\n" not in one.getMessage() for one in told)
    assert all(one.exc_info is None for one in told)
