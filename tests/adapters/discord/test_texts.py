"""The text that core gets for a message, and what happens when it is edited or deleted."""

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer


@pytest.fixture
def answers() -> ScriptedAnswers:
    return ScriptedAnswers("To {asked}")


@pytest.fixture
def scripted(answers: ScriptedAnswers, services: PlatformServices) -> PlatformServices:
    return answers.instead_of(services)


async def test_mentions_of_others_become_names_and_the_bots_own_is_removed(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    said = (
        f"{discord_server.bot.mention} does {club.ben.mention} of <@&{club.guild.readers.id}> "
        f"in <#{club.channel.id}> know </setpage:1> <:lamp:12>?"
    )
    async with running(services=scripted):
        discord_server.say(club.channel, club.ada, said)
        await answers.was_asked()
    assert answers.asked[0].text == "does @Ben of @Readers in #books know /setpage :lamp:?"
