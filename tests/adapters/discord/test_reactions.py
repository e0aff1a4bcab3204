"""What happens inside a turn is shown on the asker's message: in order, never in the way of the answer."""

from dataclasses import replace

import pytest

from adapters.discord.options import EMOJI
from adapters.platform.services import PlatformServices
from core.domain.chat_event import (
    ChatEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.errors import LLMErrorCode
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.faults import broken, held, refused, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer

REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])
USAGE = TokenUsageEvent(input_tokens=1, output_tokens=1)
FAILED = TurnFailedEvent(code=LLMErrorCode.TIMEOUT)


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([SEARCH, FOUND, TurnAnsweredEvent()], ["🔍", "📖", "✅"]),
        ([SEARCH, NOTHING, SEARCH, FOUND, USAGE, TurnAnsweredEvent()], ["🔍", "🤷", "📖", "✅"]),
        ([USAGE, FAILED], ["⚠️"]),
        ([], []),
    ],
)
async def test_each_event_is_one_reaction_in_their_order(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    events: list[ChatEvent],
    shown: list[str],
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with running(services=ScriptedAnswers(events=events).instead_of(services)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        await discord_server.wait_for(lambda: list(asked.reactions) == shown or None if shown else True)
    assert list(asked.reactions) == shown
    assert len(discord_server.calls_of("PUT", REACTION)) == len(shown)


async def test_the_emoji_are_the_operators(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers(events=[SEARCH, TurnAnsweredEvent()])
    emoji = replace(EMOJI, searching="👀", answered="lamp:1234")
    async with running(services=answers.instead_of(services), emoji=emoji):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: len(asked.reactions) == 2)
    assert list(asked.reactions) == ["👀", "lamp:1234"]


async def test_a_reaction_that_hangs_delays_no_answer(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    hanging = discord_server.fail_next("PUT", REACTION, held())
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with running(services=answers.instead_of(services)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        assert asked.reactions == {}
        hanging.release()
        await discord_server.wait_for(lambda: list(asked.reactions) == ["🔍", "📖", "✅"])


@pytest.mark.parametrize("fault", [refused(400, 30010), broken(503), reset(accepted=False)], ids=["20", "503", "reset"])
async def test_a_reaction_that_is_not_taken_spoils_neither_the_next_nor_the_answer(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices, fault: object
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    # aiohttp itself makes a PUT once more where the connection was reset.
    times = 1 if getattr(fault, "status", None) else 2
    discord_server.fail_next("PUT", REACTION, fault, times=times)  # type: ignore[arg-type]
    answers = ScriptedAnswers(events=[SEARCH, FOUND])
    async with running(services=answers.instead_of(services)):
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        await discord_server.wait_for(lambda: "📖" in asked.reactions)
    assert list(asked.reactions) == ["📖"]


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


async def test_a_question_that_waits_its_turn_shows_it(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers(events=[SEARCH], held=["First?"])
    async with running(services=answers.instead_of(services)):
        first = discord_server.say(thread, club.ada, "First?")
        second = discord_server.say(thread, club.ben, "Second?")
        aside = discord_server.say(thread, club.ben, f"{club.ada.mention} retry")
        await discord_server.wait_for(lambda: list(second.reactions) == ["⏳"])
        assert [message.text for message in answers.asked] == ["First?"]
        answers.release("First?")
        await discord_server.answer_to(second)
        await discord_server.wait_for(lambda: list(second.reactions) == ["🔍"])
    assert list(first.reactions) == ["🔍"]
    assert aside.reactions == {}
    assert answers.answered == ["First?", "Second?"]


async def test_a_turn_of_the_real_house_shows_what_it_finds(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with running():
        found = discord_server.say(thread, club.ada, "Who lit the lamp?")
        await discord_server.wait_for(lambda: list(found.reactions) == ["🔍", "📖", "✅"])
        unread = discord_server.say(thread, club.ada, "What of the whistle?")
        await discord_server.wait_for(lambda: list(unread.reactions) == ["🔍", "🤷", "✅"])
        answer = await discord_server.answer_to(unread)
    assert answer.content.startswith("I can't say anything about that")
