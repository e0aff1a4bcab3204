"""Reactions show the steps of a turn on the asker's message, in order, and never delay the answer."""

import asyncio
from dataclasses import replace
from urllib.parse import unquote

import pytest

from adapters.discord.options import EMOJI
from adapters.platform.services import CosmeticRateLimit, PlatformServices
from core.domain.chat_event import (
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
)
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.faults import broken, refused, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])


async def test_the_emoji_are_the_operators(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running
) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["Who?"])
    emoji = replace(EMOJI, searching="lamp:1234")
    async with running(answers, emoji=emoji):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: list(asked.reactions) == ["lamp:1234"])
        answers.release("Who?")
        await discord_server.answer_to(asked)


@pytest.mark.parametrize("fault", [refused(400, 30010), broken(503), reset(accepted=False)], ids=["20", "503", "reset"])
async def test_a_refused_reaction_affects_neither_the_next_nor_the_answer(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, fault: object
) -> None:
    # aiohttp itself repeats a PUT if the connection was reset.
    times = 1 if getattr(fault, "status", None) else 2
    discord_server.fail_next("PUT", REACTION, fault, times=times)  # type: ignore[arg-type]
    answers = ScriptedAnswers(events=[SEARCH, NOTHING])
    async with running(answers):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        await discord_server.wait_for(lambda: list(asked.reactions) == ["🤷"])


@pytest.mark.parametrize("known", [True, False], ids=["known beforehand", "found out"])
async def test_a_missing_right_is_logged_once_and_not_tried_again(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    caplog: pytest.LogCaptureFixture,
    known: bool,
) -> None:
    if known:
        discord_server.deny(club.channel, Right.ADD_REACTIONS)
    else:
        discord_server.fail_next("PUT", REACTION, refused(403, 50013, "Missing Permissions"))
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with running(answers):
        for _ in range(3):
            await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))
    assert len([one for one in caplog.records if "No reactions in channel" in one.getMessage()]) == 1
    assert discord_server.rest.invalid_calls == (0 if known else 1)


class _Held(CosmeticRateLimit):
    """Nothing is sent before the test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = asyncio.Event()

    def take(self) -> bool:
        return self.may_go.is_set()

    async def turn(self) -> None:
        await self.may_go.wait()


async def test_under_load_outdated_reactions_are_skipped(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running, services: PlatformServices
) -> None:
    pace, answers = _Held(), ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with settling(services=replace(answers.instead_of(services), ornament_rate=pace)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        pace.may_go.set()
    shown = {unquote(call.params["emoji"]) for call in discord_server.calls if call.route == REACTION}
    assert shown == {EMOJI.found}
    assert list(asked.reactions) == [EMOJI.found]
