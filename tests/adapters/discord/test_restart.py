"""A question is answered exactly once, even if the turn is interrupted."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.discord.listening import DiscordMessage
from adapters.discord.render import nonce
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.hearing.addressing import AddressingService
from core.domain.conversation import AskedAs
from core.domain.question import IncomingMessage
from core.domain.understanding import Intent, Understanding
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.platform import Draft
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Message

ANSWER = "An answer.\n-# (up to p. 2)"


@pytest.mark.parametrize("stands", [True, False], ids=["answered", "not answered"])
async def test_a_post_whose_nonce_has_expired_is_found_in_the_thread(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    services: PlatformServices,
    stands: bool,
) -> None:
    past = datetime.now(UTC) - timedelta(minutes=20)
    asked = discord_server.say(thread, club.ada, "Who?", at=past)
    if stands:
        _answer(discord_server, thread, asked, at=past)
    else:
        # The same words to another question are no answer to this one.
        discord_server.platform.post(thread, discord_server.bot, Draft(content=ANSWER), at=past)
    await services.inbox.take_in(_said(club, thread, asked).event)
    answers = ScriptedAnswers()
    async with running(answers) as client:
        await client.intake.settled()
    assert len(discord_server.replies_to(asked)) == 1
    assert await services.inbox.unfinished("discord") == []


async def test_the_same_event_three_times_is_one_turn_and_one_answer(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    settling: Running,
    read_book: ReadBook,
    house: Application,
) -> None:
    await read_book()
    async with settling() as client:
        asked = discord_server.say(thread, club.ada, "Who lit the lamp?")
        discord_server.gateway.again("MESSAGE_CREATE")
        await discord_server.answer_to(asked)
        await client.intake.settled()
        (session,) = discord_server.gateway.sessions.values()
        payload = next(data for _, _, data in session.events if data.get("id") == str(asked.id))
        discord_server.gateway.send_raw("MESSAGE_CREATE", payload)
        last = discord_server.say(thread, club.ada, "Who mended the window?")
        await discord_server.answer_to(last)
    assert len(discord_server.replies_to(asked)) == 1
    assert len(discord_server.by_bot(thread)) == 2


async def test_a_message_that_breaks_core_blocks_nothing_and_is_not_retried(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running, services: PlatformServices
) -> None:
    class Broken(AddressingService):
        def __init__(self) -> None:
            self.asked = 0

        async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
            self.asked += 1
            if self.asked == 1:
                raise RuntimeError("a fault of ours")
            return Understanding(addressed=AskedAs.YES, intent=Intent.FACT)

        def answered(self, message: IncomingMessage, text: str) -> None:
            """Do nothing."""

    answers = ScriptedAnswers()
    broken = Broken()
    async with settling(services=replace(answers.instead_of(services), addressing=broken)):
        discord_server.say(thread, club.ada, "First?")
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Second?"))
    assert answers.texts == ["Second?"]
    assert await services.inbox.unfinished("discord") == []


async def test_a_waiting_question_is_deleted_or_edited_before_its_turn(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers(held=["First?"])
    async with settling(answers):
        discord_server.say(thread, club.ada, "First?")
        second = discord_server.say(thread, club.ada, "Second?")
        third = discord_server.say(thread, club.ada, "Third?")
        await discord_server.wait_for(lambda: "⏳" in third.reactions)
        await answers.was_asked()
        discord_server.delete(second)
        discord_server.edit(third, "Third, better?")
        heard = discord_server.say(thread, club.ada, "Fourth?")
        await discord_server.wait_for(lambda: "⏳" in heard.reactions)
        answers.release("First?")
        await discord_server.answer_to(heard)
    assert answers.answered == ["First?", "Third, better?", "Fourth?"]


def _said(club: Club, thread: Channel, message: Message) -> DiscordMessage:
    return DiscordMessage(
        guild_id=club.guild.id,
        channel_id=thread.id,
        message_id=message.id,
        author_id=message.author.id,
        author_name=message.author.name,
        text=message.content,
        mentions_bot=False,
        replies_to_bot=False,
    )


def _answer(server: DiscordServer, thread: Channel, asked: Message, *, at: datetime) -> None:
    assert thread.guild is not None
    reference = {"type": 0, "message_id": str(asked.id), "channel_id": str(thread.id), "guild_id": str(thread.guild.id)}
    server.platform.post(thread, server.bot, Draft(content=ANSWER, reply_to=asked, reference=reference), at=at)


def test_a_nonce_is_short_and_unique_to_its_message_and_part() -> None:
    nonces = {nonce(ref, part) for ref in ("discord:1:2", "discord:1:3") for part in range(3)}
    assert len(nonces) == 6
    assert {len(one) for one in nonces} == {25}
    assert nonce("discord:1:2", 0) == nonce("discord:1:2", 0)
