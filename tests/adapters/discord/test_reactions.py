"""What happens inside a turn is shown on the asker's message: in order, never in the way of the answer."""

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

REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])


async def test_the_emoji_are_the_operators(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers(events=[SEARCH], held=["Who?"])
    emoji = replace(EMOJI, searching="lamp:1234")
    async with running(services=answers.instead_of(services), emoji=emoji):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: list(asked.reactions) == ["lamp:1234"])
        answers.release("Who?")
        await discord_server.answer_to(asked)


@pytest.mark.parametrize("fault", [refused(400, 30010), broken(503), reset(accepted=False)], ids=["20", "503", "reset"])
async def test_a_reaction_that_is_not_taken_spoils_neither_the_next_nor_the_answer(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices, fault: object
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    # aiohttp itself makes a PUT once more where the connection was reset.
    times = 1 if getattr(fault, "status", None) else 2
    discord_server.fail_next("PUT", REACTION, fault, times=times)  # type: ignore[arg-type]
    answers = ScriptedAnswers(events=[SEARCH, NOTHING])
    async with running(services=answers.instead_of(services)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        await discord_server.wait_for(lambda: list(asked.reactions) == ["🤷"])


@pytest.mark.parametrize("known", [True, False], ids=["known beforehand", "found out"])
async def test_a_missing_right_is_logged_once_and_asked_for_no_more(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
    known: bool,
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    if known:
        discord_server.deny(club.channel, Right.ADD_REACTIONS)
    else:
        discord_server.fail_next("PUT", REACTION, refused(403, 50013, "Missing Permissions"))
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with running(services=answers.instead_of(services)):
        for _ in range(3):
            await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))
    assert len([one for one in caplog.records if "No reactions in channel" in one.getMessage()]) == 1
    assert discord_server.rest.invalid_calls == (0 if known else 1)


class _Held(CosmeticRateLimit):
    """Nothing goes out before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go = asyncio.Event()

    def take(self) -> bool:
        return self.may_go.is_set()

    async def turn(self) -> None:
        await self.may_go.wait()


async def test_where_many_ask_what_is_over_by_then_is_not_shown_any_more(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    pace, answers = _Held(), ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with running(services=replace(answers.instead_of(services), ornament_rate=pace)) as client:
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        pace.may_go.set()
        await client.intake.settled()
    shown = {unquote(call.params["emoji"]) for call in discord_server.calls if call.route == REACTION}
    assert shown == {EMOJI.found}
    assert list(asked.reactions) == [EMOJI.found]
