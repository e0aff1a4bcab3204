"""A backlog in one channel delays no other channel, neither in new threads nor in existing ones."""

from dataclasses import replace

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

_AT_ONCE = 16


async def test_threads_of_one_channel_share_its_limit(
    discord_server: DiscordServer, club: Club, settling: Running, services: PlatformServices
) -> None:
    other = discord_server.add_club("Other")
    threads = [discord_server.create_thread(club.channel, discord_server.bot, f"Ours {n}") for n in range(40)]
    answers = ScriptedAnswers("To {asked}", held=["Who?"])
    few = replace(answers.instead_of(services), turns_at_once=2 * _AT_ONCE)
    async with settling(services=few):
        asked = [discord_server.say(one, club.ada, "Who?") for one in threads]
        await answers.was_asked(_AT_ONCE)
        elsewhere = discord_server.create_thread(other.channel, discord_server.bot, "Theirs")
        await discord_server.answer_to(discord_server.say(elsewhere, other.ada, "Here?"))
        assert len(answers.asked) == _AT_ONCE + 1
        answers.release("Who?")
        await discord_server.wait_for(lambda: all(discord_server.replies_to(one) for one in asked))
