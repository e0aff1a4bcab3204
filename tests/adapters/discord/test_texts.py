"""The text that core gets for a message, and what happens when it is edited or deleted."""

import asyncio
import sqlite3
from dataclasses import replace

import pytest
from typing_extensions import override

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.hearing.addressing import AddressingService
from core.domain.question import IncomingMessage
from core.domain.understanding import Understanding
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel


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


async def test_a_mention_without_a_question_is_told_what_the_bot_can_do(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    async with running(services=scripted):
        asked = discord_server.say(club.channel, club.ada, discord_server.bot.mention)
        answer = await discord_server.answer_to(asked)
    assert len(answer.content.splitlines()) == 2
    assert "`/help`" in answer.content
    assert asked.thread is None
    assert answers.asked == []


class FollowedChanges(AddressingService):
    """Core's service, which reports when it has handled an edit or a deletion."""

    def __init__(self, addressing: AddressingService) -> None:
        self._own = addressing
        self._changes: asyncio.Queue[str] = asyncio.Queue()

    @override
    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        return await self._own.hear(message, heard)

    @override
    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)

    @override
    async def edited(self, ref: str, text: str) -> None:
        await self._own.edited(ref, text)
        self._changes.put_nowait(ref)

    @override
    async def deleted(self, ref: str) -> None:
        await self._own.deleted(ref)
        self._changes.put_nowait(ref)

    async def next(self) -> None:
        """Wait for the next report."""
        async with asyncio.timeout(PATIENCE_S):
            await self._changes.get()


async def test_an_edit_replaces_what_is_stored_and_a_deletion_empties_it_and_neither_is_a_question(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running, read_book: ReadBook,
    house: Application, services: PlatformServices,
) -> None:  # fmt: skip
    await read_book()
    followed = FollowedChanges(services.addressing)
    async with settling(services=replace(services, addressing=followed)) as client:
        asked = discord_server.say(thread, club.ada, "Who lit the lamp?")
        await discord_server.answer_to(asked)
        await client.intake.settled()
        discord_server.unfurl(asked)
        discord_server.edit(asked, "Who mended the window?")
        await followed.next()
        assert _questions(house) == ["Who mended the window?"]
        discord_server.delete(asked)
        await followed.next()
        assert _questions(house) == [""]
    assert len(discord_server.by_bot(thread)) == 1


def _questions(house: Application) -> list[str]:
    connection = sqlite3.connect(house.settings.thusfar_home / "thusfar.db")
    try:
        return [text for (text,) in connection.execute("SELECT content FROM message WHERE role = 'user'")]
    finally:
        connection.close()
