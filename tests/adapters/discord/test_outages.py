"""Discord's REST is down while the gateway goes on: the answer comes when it is back, and once."""

from adapters.discord.posting import Patience
from adapters.discord.services import DiscordServices
from tests.adapters.discord.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.servers.discord.faults import reset
from tests.servers.discord.places import Club
from tests.servers.discord_server import DiscordServer

MESSAGES = "/channels/{channel}/messages"


async def test_rest_may_be_down_for_a_while_in_mid_turn(
    discord_server: DiscordServer, club: Club, running: Running, services: DiscordServices
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
        await client.inflow.settled()
    assert discord_server.replies_to(asked) == [answer]


async def test_what_could_not_be_posted_at_all_is_taken_up_again_later(
    discord_server: DiscordServer, club: Club, running: Running, services: DiscordServices
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    hasty = Patience(first=0.01, longest=0.02, total=0.1, later=0.05)
    async with running(services=answers.instead_of(services), patience=hasty):
        asked = discord_server.say(thread, club.ada, "Who?")
        await answers.was_asked()
        with discord_server.rest_down(reset(accepted=False)):
            answers.release("Who?")
            # Given up, and looked at again.
            await discord_server.wait_for(
                lambda: discord_server.calls_of("GET", "/channels/{channel}/messages/{message}")
            )
        await discord_server.answer_to(asked)
    assert len(discord_server.replies_to(asked)) == 1
