"""What piles up in one channel holds up no other, in the threads that it opens and in those that were there."""

import asyncio

import pytest

from adapters.platform.intake.queues import Queues
from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message

_A_MINUTE = 20
_AT_ONCE = 16
_MOST_WAITING = 100


def _asked_by_a_crowd(server: DiscordServer, club: Club, words: list[str]) -> list[Message]:
    """Nobody asks more than anybody may in a minute."""
    crowd = [server.add_person(f"Reader {n}", club.guild) for n in range(len(words) // _A_MINUTE + 1)]
    mention = server.bot.mention
    return [server.say(club.channel, crowd[n // _A_MINUTE], f"{mention} {one}") for n, one in enumerate(words)]


async def test_a_channel_full_of_questions_holds_up_no_other(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    other = discord_server.add_club("Other")
    words = [f"Question {number}?" for number in range(60)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with running(services=answers.instead_of(services)) as client:
        asked = _asked_by_a_crowd(discord_server, club, words)
        await answers.was_asked(_AT_ONCE)
        here = discord_server.say(other.channel, other.ada, f"{discord_server.bot.mention} Here?")
        await discord_server.wait_for(lambda: here.thread and discord_server.by_bot(here.thread))
        assert len(answers.asked) == _AT_ONCE + 1
        for one in words:
            answers.release(one)
        await discord_server.wait_for(lambda: all(one.thread and discord_server.by_bot(one.thread) for one in asked))
        await client.intake.settled()


async def test_threads_of_one_channel_share_its_bound(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    other = discord_server.add_club("Other")
    threads = [discord_server.create_thread(club.channel, discord_server.bot, f"Ours {n}") for n in range(40)]
    answers = ScriptedAnswers("To {asked}", held=["Who?"])
    async with running(services=answers.instead_of(services)) as client:
        asked = [discord_server.say(one, club.ada, "Who?") for one in threads]
        await answers.was_asked(_AT_ONCE)
        elsewhere = discord_server.create_thread(other.channel, discord_server.bot, "Theirs")
        await discord_server.answer_to(discord_server.say(elsewhere, other.ada, "Here?"))
        assert len(answers.asked) == _AT_ONCE + 1
        answers.release("Who?")
        await discord_server.wait_for(lambda: all(discord_server.replies_to(one) for one in asked))
        await client.intake.settled()


async def test_what_is_too_much_for_a_channel_is_refused_by_a_reaction(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    words = [f"Question {number}?" for number in range(_AT_ONCE + _MOST_WAITING + 4)]
    answers = ScriptedAnswers(held=words)
    async with running(services=answers.instead_of(services)) as client:
        asked = _asked_by_a_crowd(discord_server, club, words)
        await discord_server.wait_for(lambda: sum("⚠️" in one.reactions for one in asked) == 4)
        for one in words:
            answers.release(one)
        await discord_server.wait_for(lambda: sum(one.thread is not None for one in asked) == len(words) - 4)
        await client.intake.settled()
    assert len([one for one in caplog.records if "Too many questions wait" in one.getMessage()]) == 4
    assert await services.inbox.unfinished("discord") == []


async def test_a_thread_stays_in_its_lane_while_it_is_at_work() -> None:
    go_on, done = asyncio.Event(), list[int]()

    async def work(number: int) -> None:
        await go_on.wait()
        done.append(number)

    queues = Queues(work, at_once=1, longest=2 * _MOST_WAITING)
    queues.put("thread", 0, lane="not known yet")
    for number in range(1, _MOST_WAITING + 1):
        queues.put("thread", number, lane="channel")
    go_on.set()
    await queues.idle()
    assert len(done) == _MOST_WAITING + 1
    assert not queues.is_full("another", lane="channel")
    go_on.clear()
    for number in range(_MOST_WAITING):
        queues.put(number, number, lane="channel")
    assert queues.is_full("another", lane="channel")
    await queues.finish(within=0)
