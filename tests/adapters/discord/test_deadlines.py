"""Calls to Discord that hang delay a stop or an answer only up to a limit."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from adapters.discord import interactions
from adapters.platform import platform_app
from adapters.platform.services import PlatformServices
from core.domain.chat_event import ToolInvocationEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.interactions import TO_RESPOND_S
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

_REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
_CALLBACK = "/interactions/{interaction}/{token}/callback"


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.Timeout]:
    """The time limits of acknowledging: each ends when the test says so."""
    assert 2 * interactions._ONE_ATTEMPT_S <= TO_RESPOND_S
    begun: list[asyncio.Timeout] = []

    def limit(seconds: float) -> asyncio.Timeout:
        assert seconds == interactions._ONE_ATTEMPT_S
        begun.append(asyncio.timeout(None))
        return begun[-1]

    monkeypatch.setattr(interactions, "asyncio", SimpleNamespace(timeout=limit))
    return begun


async def test_a_stop_is_limited_in_time_even_if_an_answer_and_reactions_hang(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    services: PlatformServices,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = ScriptedAnswers(events=[ToolInvocationEvent(tool_name="search_book", arguments={})], held=["Who?"])
    # The time limits of reactions and answers do not add up.
    monkeypatch.setattr(platform_app, "_REACTIONS_S", 10 * PATIENCE_S)
    monkeypatch.setattr(platform_app, "_LAST_WORDS_S", 0.1)
    patient = replace(QUICK, one_call=10 * PATIENCE_S)
    async with running(answers, retry=patient) as client:
        discord_server.fail_next("PUT", _REACTION, held())
        discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: discord_server.calls_of("PUT", _REACTION))
        async with asyncio.timeout(PATIENCE_S):
            await client.finish(within=0.1)
    assert len(await services.inbox.unfinished("discord")) == 1


async def test_a_hanging_acknowledgement_is_given_up_when_it_would_be_too_late(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    attempts: list[asyncio.Timeout],
) -> None:
    await read_book()
    async with running() as client:
        discord_server.fail_next("POST", _CALLBACK, held(), times=2)
        discord_server.slash("where", user=club.ada, channel=club.channel)
        for number in range(2):
            await discord_server.wait_for(lambda: len(discord_server.calls_of("POST", _CALLBACK)) > number)  # noqa: B023
            attempts[number].reschedule(0)
        async with asyncio.timeout(PATIENCE_S):
            await client.running_tasks.finish(within=10 * PATIENCE_S)
    assert len(attempts) == 2
    assert discord_server.by_bot(club.channel) == []


async def test_a_hanging_post_is_retried_and_appears_once(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    hasty = replace(QUICK, one_call=0.2)
    async with settling(ScriptedAnswers(), retry=hasty):
        hanging = discord_server.fail_next("POST", "/channels/{channel}/messages", held())
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        hanging.release()
    assert len(discord_server.replies_to(asked)) == 1
