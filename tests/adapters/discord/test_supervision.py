"""Connection errors never end the process, except errors that waiting cannot fix."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import pytest

from adapters.discord.calls import WRONG_TOKEN
from adapters.discord.options import DiscordOptions
from adapters.platform.services import PlatformServices
from core.domain.errors import SettingsError
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.supervised import supervised_bot
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.faults import broken, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

Supervised = Callable[[], AbstractAsyncContextManager["asyncio.Task[None]"]]


@pytest.fixture
def answers() -> ScriptedAnswers:
    return ScriptedAnswers("To {asked}")


@pytest.fixture
def supervised(services: PlatformServices, options: DiscordOptions, answers: ScriptedAnswers) -> Supervised:
    return lambda: supervised_bot(answers.instead_of(services), options)


@pytest.mark.parametrize("fault", [broken(503), reset(accepted=False)], ids=["503", "reset"])
async def test_a_login_that_fails_is_tried_again(
    discord_server: DiscordServer, club: Club, thread: Channel, supervised: Supervised, fault: object
) -> None:
    discord_server.fail_next("GET", "/users/@me", fault, times=2)  # type: ignore[arg-type]
    async with supervised():
        await discord_server.identified()
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("MESSAGE_CREATE", {"id": "1"}),
        ("INTERACTION_CREATE", {"id": "1", "type": 2}),
        ("GUILD_ROLE_CREATE", {}),
    ],
)
async def test_a_malformed_event_affects_neither_a_running_turn_nor_new_messages(
    discord_server: DiscordServer,
    club: Club,
    supervised: Supervised,
    answers: ScriptedAnswers,
    services: PlatformServices,
    event: str,
    payload: object,
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    held = ScriptedAnswers("To {asked}", held=["Under way?"])
    answers.__dict__.update(held.__dict__)
    async with supervised():
        await discord_server.identified()
        running_tasks = discord_server.say(thread, club.ada, "Under way?")
        await answers.was_asked()
        discord_server.gateway.send_raw(event, payload)
        meanwhile = discord_server.say(thread, club.ada, "Meanwhile?")
        answers.release("Under way?")
        await discord_server.answer_to(running_tasks)
        await discord_server.answer_to(meanwhile)
    assert len(discord_server.gateway.identifies) == 1
    assert answers.answered == ["Under way?", "Meanwhile?"]
    assert len(discord_server.by_bot(thread)) == 2


async def test_without_the_message_content_intent_it_connects_again_without_it(
    discord_server: DiscordServer, club: Club, supervised: Supervised, caplog: pytest.LogCaptureFixture
) -> None:
    discord_server.gateway.allowed = Intent(0)
    async with supervised():
        await discord_server.wait_for(lambda: discord_server.gateway.sessions)
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
    asked_for = [Intent(one["intents"]) for one in discord_server.gateway.identifies]
    assert [Intent.MESSAGE_CONTENT in one for one in asked_for] == [True, False]
    assert len([one for one in caplog.records if "Message Content intent" in one.getMessage()]) == 1


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013])
async def test_an_error_that_waiting_cannot_fix_ends_it_with_a_sentence(
    discord_server: DiscordServer, supervised: Supervised, code: int
) -> None:
    discord_server.gateway.close_at_identify(code)
    async with supervised() as task:
        with pytest.raises(SettingsError) as told:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert len(discord_server.gateway.identifies) == 1
    assert str(told.value).startswith("Discord ")
    assert str(told.value).endswith(".")


async def test_a_wrong_token_ends_it_with_a_sentence_that_does_not_show_it(
    discord_server: DiscordServer, services: PlatformServices, options: DiscordOptions
) -> None:
    async with supervised_bot(services, replace(options, token="of.somebody.else")) as task:  # noqa: S106 (made up)
        with pytest.raises(SettingsError) as told:
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
    assert str(told.value) == WRONG_TOKEN
    assert "of.somebody.else" not in str(told.value)
    assert len(discord_server.calls) == 1


@pytest.mark.parametrize("how", ["reconnect", "abort", "close"])
async def test_a_lost_connection_is_resumed_and_nothing_is_answered_twice(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    supervised: Supervised,
    answers: ScriptedAnswers,
    how: str,
) -> None:
    lose: dict[str, Callable[[], None]] = {
        "reconnect": discord_server.gateway.reconnect,
        "abort": discord_server.gateway.abort,
        "close": lambda: discord_server.gateway.close(4000),
    }
    async with supervised():
        await discord_server.identified()
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        lose[how]()
        meanwhile = discord_server.say(thread, club.ada, "Meanwhile?")
        await discord_server.wait_for(lambda: discord_server.gateway.resumes)
        await discord_server.answer_to(meanwhile)
    assert answers.answered == ["Before?", "Meanwhile?"]
    assert len(discord_server.by_bot(thread)) == 2
