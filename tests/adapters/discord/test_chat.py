"""`/chat` opens a thread about the book where it is used, and answers the question that came with it."""

import pytest

from bot.wiring import Application
from core.domain.messages import NO_BOOK
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import labels, pinged
from tests.platform_servers.discord.faults import reset
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Message

_MAY_NOT = "I can't open a thread here. Mention me with your question instead."


async def _chat(
    server: DiscordServer, club: Club, question: str = "", *, channel: Channel | None = None
) -> Interaction:
    given = {"question": question} if question else {}
    return await server.responded(server.slash("chat", given, user=club.ada, channel=channel or club.channel))


def _thread(server: DiscordServer, club: Club) -> tuple[Channel, list[Message]]:
    """Return the one thread that was opened, and the bot's messages in it."""
    (starter,) = server.by_bot(club.channel)
    assert starter.content == "Ada opens a thread about The Lamp."
    assert starter.thread is not None
    return starter.thread, server.by_bot(starter.thread)


async def test_a_thread_begins_with_the_current_page(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        used = await _chat(discord_server, club)
    thread, said = _thread(discord_server, club)
    assert thread.name.startswith("The Lamp: Ada asks, ")
    assert [one.content for one in said] == ["▓▓▓▓▓░░░░░ 50 %\nThe Lamp, 4 pages: up to p. 2."]
    assert used.texts == [f"Here it is: <#{thread.id}>"]
    assert used.messages[0].is_ephemeral


async def test_a_question_is_answered_in_the_thread_and_the_talk_goes_on_there(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        await _chat(discord_server, club, "Who lit the lamp, @everyone?")
        thread, (asked, answer) = _thread(discord_server, club)
        more = discord_server.say(thread, club.ben, "And what did the storm do?")
        await discord_server.answer_to(more)
    assert asked.content == "Ada asks: Who lit the lamp, @\u200beveryone?"
    assert answer.content.endswith("(up to p. 2)")
    assert labels(answer) == ["More here", "More passages", "👍", "👎", "Keep for later"]
    assert pinged([asked, answer]) == set()


async def test_a_thread_whose_opening_is_interrupted_is_opened_once(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        discord_server.fail_next("POST", "/channels/{channel}/messages/{message}/threads", reset(accepted=True))
        used = await _chat(discord_server, club)
    thread, said = _thread(discord_server, club)
    assert len(said) == 1
    assert used.texts == [f"Here it is: <#{thread.id}>"]


@pytest.mark.parametrize(
    ("denied", "reads", "in_thread", "said"),
    [
        (Right.CREATE_PUBLIC_THREADS, True, False, _MAY_NOT),
        (Right.SEND_MESSAGES_IN_THREADS, True, False, _MAY_NOT),
        (Right.SEND_MESSAGES, True, False, _MAY_NOT),
        (Right.NONE, False, False, NO_BOOK),
        (Right.NONE, True, True, "We're already in a thread. Just ask me here."),
    ],
)
async def test_where_no_thread_can_be_opened_the_asker_is_told_and_nothing_is_posted(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    *,
    denied: Right,
    reads: bool,
    in_thread: bool,
    said: str,
) -> None:
    if reads:
        await read_book()
    discord_server.deny(club.channel, denied)
    place = discord_server.create_thread(club.channel, club.ada, "Lamp") if in_thread else club.channel
    async with running():
        used = await _chat(discord_server, club, "Who?", channel=place)
    assert used.texts == [said]
    assert discord_server.by_bot(club.channel) == discord_server.by_bot(place) == []
