"""Discord revokes the token or an intent while the bot runs. Open questions stay for the next start."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

from adapters.discord.calls import UNMENDABLE, WRONG_TOKEN
from adapters.discord.options import DiscordOptions
from adapters.platform.services import PlatformServices
from core.domain.errors import SettingsError
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.discord.supervised import supervised_bot
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.faults import refused
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

_REFUSED = refused(401, 0, "401: Unauthorized")


@contextmanager
def _gateway_says_so(server: DiscordServer) -> Iterator[None]:
    server.gateway.close(4004)
    yield


@pytest.mark.parametrize("by", ["gateway", "REST"])
async def test_a_revoked_token_ends_it_and_leaves_the_question_to_the_next_start(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    settling: Running,
    services: PlatformServices,
    options: DiscordOptions,
    by: str,
) -> None:
    before = ScriptedAnswers(held=["Who?"])
    async with supervised_bot(before.instead_of(services), options) as task:
        await discord_server.identified()
        discord_server.say(thread, club.ada, "Who?")
        await before.was_asked()
        with discord_server.rest_down(_REFUSED), _gateway_says_so(discord_server) if by == "gateway" else nullcontext():
            before.release("Who?")
            with pytest.raises(SettingsError) as told:
                await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(told.value) == WRONG_TOKEN
    assert [one.payload["text"] for one in await services.inbox.unfinished("discord")] == ["Who?"]
    assert len([one for one in discord_server.calls if one.status == 401]) < 10
    after = ScriptedAnswers()
    async with settling(after):
        await discord_server.posted(thread)
    assert len(discord_server.by_bot(thread)) == 1


async def test_a_mistaken_refusal_ends_nothing(
    discord_server: DiscordServer, club: Club, thread: Channel, services: PlatformServices, options: DiscordOptions
) -> None:
    answers = ScriptedAnswers()
    async with supervised_bot(answers.instead_of(services), options, later=0.05) as task:
        await discord_server.identified()
        discord_server.fail_next("POST", "/channels/{channel}/messages", _REFUSED)
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        assert not task.done()
    assert len(discord_server.replies_to(asked)) == 1


async def test_a_refusal_of_all_intents_is_not_retried_for_ever(
    discord_server: DiscordServer, services: PlatformServices, options: DiscordOptions
) -> None:
    discord_server.gateway.close_at_identify(4014, 4014)
    async with supervised_bot(services, options) as task:
        with pytest.raises(SettingsError) as told:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(told.value) == UNMENDABLE[4014]
    assert len(discord_server.gateway.identifies) == 2


async def test_an_intent_revoked_during_a_turn_loses_no_answer(
    discord_server: DiscordServer, club: Club, thread: Channel, services: PlatformServices, options: DiscordOptions
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with supervised_bot(answers.instead_of(services), options):
        await discord_server.identified()
        asked = discord_server.mention(thread, club.ada, "Who?")
        await answers.was_asked()
        discord_server.gateway.close(4014)
        await discord_server.identified(2)
        answers.release("Who?")
        await discord_server.answer_to(asked)
    assert len(discord_server.replies_to(asked)) == 1
