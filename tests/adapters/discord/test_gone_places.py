"""Places that are deleted or have no threads while questions wait there: no model is called in vain."""

from collections.abc import Callable

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

Remove = Callable[[DiscordServer, Club, Channel], None]


@pytest.mark.parametrize(
    "remove",
    [
        lambda server, _, thread: server.delete_thread(thread),
        lambda server, club, _: server.remove_channel(club.channel),
        lambda server, club, _: server.remove_guild(club.guild),
    ],
    ids=["thread", "channel", "server"],
)
async def test_questions_waiting_in_a_deleted_place_are_not_answered(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    settling: Running,
    services: PlatformServices,
    remove: Remove,
) -> None:
    other = discord_server.add_club("Other")
    elsewhere = discord_server.create_thread(other.channel, discord_server.bot, "Theirs")
    answers = ScriptedAnswers(held=["Question 0?"])
    async with settling(answers):
        waiting = [discord_server.say(thread, club.ada, f"Question {number}?") for number in range(5)]
        await discord_server.wait_for(lambda: all("⏳" in one.reactions for one in waiting[1:]))
        remove(discord_server, club, thread)
        await discord_server.answer_to(discord_server.say(elsewhere, other.ada, "Here?"))
        answers.release("Question 0?")
    assert answers.texts == ["Question 0?", "Here?"]
    assert await services.inbox.unfinished("discord") == []


async def test_a_server_that_adds_the_bot_again_is_answered_again(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        discord_server.remove_guild(club.guild)
        discord_server.take_back(club.guild)
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        await discord_server.posted(await discord_server.wait_for(lambda: asked.thread))
    assert answers.texts == ["Who?"]
