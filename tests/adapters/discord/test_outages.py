"""Discord's REST is down while the gateway goes on: the answer comes when it is back, and once."""

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.faults import rate_limited
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

MESSAGES = "/channels/{channel}/messages"


async def test_rest_may_be_down_for_a_while_in_mid_turn(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with running(services=answers.instead_of(services)) as client:
        asked = discord_server.say(thread, club.ada, "Who?")
        await answers.was_asked()
        with discord_server.rest_down():
            answers.release("Who?")
            await discord_server.wait_for(lambda: len(discord_server.calls_of("POST", MESSAGES)) >= 4)
        answer = await discord_server.answer_to(asked)
        await client.intake.settled()
    assert discord_server.replies_to(asked) == [answer]


@pytest.mark.parametrize("via", [True, False], ids=["Discord", "Cloudflare"])
async def test_an_answer_that_came_too_often_is_posted_later_and_once(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices, via: bool
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        discord_server.fail_next("POST", MESSAGES, rate_limited(0.01, via=via), times=3 if via else 2)
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        await client.intake.settled()
    assert len(discord_server.replies_to(asked)) == 1
    assert "⚠️" not in asked.reactions


async def test_a_thread_that_may_not_be_opened_yet_is_opened_later(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        discord_server.fail_next("POST", f"{MESSAGES}/{{message}}/threads", rate_limited(via=False))
        asked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who?")
        thread = await discord_server.wait_for(lambda: asked.thread)
        await discord_server.posted(thread)
        await client.intake.settled()
    assert discord_server.by_bot(club.channel) == []
