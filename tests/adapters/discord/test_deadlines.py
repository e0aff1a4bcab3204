"""What hangs on Discord's side holds up a stop, or an answer, for no longer than it may."""

import asyncio
from dataclasses import replace

import pytest

from adapters.discord import interactions
from adapters.platform.services import PlatformServices
from core.domain.chat_event import ToolInvocationEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.platforms import QUICK
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

_REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"


async def test_a_stop_takes_no_longer_than_it_may_with_an_answer_and_reactions_that_hang(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers(events=[ToolInvocationEvent(tool_name="search_book", arguments={})], held=["Who?"])
    async with running(services=answers.instead_of(services)) as client:
        discord_server.fail_next("PUT", _REACTION, held())
        discord_server.say(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: discord_server.calls_of("PUT", _REACTION))
        began = asyncio.get_running_loop().time()
        await client.finish(within=1.0)
        # The reactions' own time is not added to the answers'.
        assert asyncio.get_running_loop().time() - began < 3.5
    assert len(await services.inbox.unfinished("discord")) == 1


async def test_an_acknowledgement_that_hangs_is_given_up_when_it_would_be_too_late(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interactions, "_ONE_ATTEMPT_S", 0.1)
    await read_book(club.channel)
    async with running() as client:
        discord_server.fail_next("POST", "/interactions/{interaction}/{token}/callback", held(), times=2)
        discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: sum("/callback" in one.path for one in discord_server.calls) == 2)
        async with asyncio.timeout(8):
            await client.running_tasks.finish(within=10)
    assert discord_server.by_bot(club.channel) == []


async def test_an_acknowledgement_that_hangs_once_is_made_again(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interactions, "_ONE_ATTEMPT_S", 0.3)
    await read_book(club.channel)
    async with running():
        discord_server.fail_next("POST", "/interactions/{interaction}/{token}/callback", held())
        discord_server.slash("where", user=club.ada, channel=club.channel)
        async with asyncio.timeout(3):
            await discord_server.posted(club.channel)


async def test_a_post_that_hangs_is_made_again_and_stands_there_once(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    hasty = replace(QUICK, one_call=0.2)
    async with running(services=ScriptedAnswers().instead_of(services), retry=hasty) as client:
        hanging = discord_server.fail_next("POST", "/channels/{channel}/messages", held())
        asked = discord_server.say(thread, club.ada, "Who?")
        await discord_server.answer_to(asked)
        hanging.release()
        await client.intake.settled()
    assert len(discord_server.replies_to(asked)) == 1
