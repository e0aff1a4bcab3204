"""A question is answered exactly once, even if the turn is interrupted."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.discord.listening import DiscordMessage
from adapters.platform.services import PlatformServices
from bot.wiring import Application
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
