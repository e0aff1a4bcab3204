"""What piles up in one channel holds up no other, in the threads that it opens and in those that were there."""

import asyncio

from adapters.platform.intake.queues import Queues
from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

_AT_ONCE = 16
_MOST_WAITING = 100


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
