"""`/ask` answers only the asker; they can post the answer in the thread, in a spoiler container that names its page."""

from dataclasses import replace

import pytest

from adapters.platform.services import PlatformServices
from core.answering.given_answers import Answers, PostableAnswer
from core.domain.position import Position, footer
from core.domain.thread import Thread
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import labels
from tests.platform_servers.discord.components import walk
from tests.platform_servers.discord.faults import Fault, broken, refused, reset
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import COMPONENTS_V2, Channel, Json, Message

WHISTLE = "What did Ines do with the whistle?"


class LongAnswers(Answers):
    """Has one answer to show, until the test removes it."""

    def __init__(self, text: str, *, position: Position = 4, thread_position: Position = 1) -> None:
        self._answer_to_show = PostableAnswer(
            reading_id="r_1",
            question="What?",
            text=text,
            position=position,
            thread_position=thread_position,
            footer=footer(position),
        )

    async def postable(self, turn_id: int, *, thread: Thread, member_id: str) -> PostableAnswer:
        return self._answer_to_show


async def _ask(server: DiscordServer, club: Club, channel: Channel, question: str, *, page: str = "") -> Interaction:
    """Ask as Ada, at her own page if given."""
    if page:
        await server.responded(server.slash("mypage", {"to": page}, user=club.ada, channel=channel))
    used = server.slash("ask", {"question": question}, user=club.ada, channel=channel)
    return await server.responded(used)


def _text_of(one: Json) -> str:
    return "\n".join(part["content"] for part in walk([one]) if part["type"] == 10)


def _hidden(message: Message) -> str:
    """Return the text in the spoiler containers of a message."""
    return "\n".join(_text_of(one) for one in message.components if one["type"] == 17 and one["spoiler"] is True)


def _open(message: Message) -> str:
    """Return the text that can be read without a click."""
    return "\n".join(_text_of(one) for one in message.components if one["type"] != 17) + message.content


async def test_the_text_around_a_private_answer_goes_as_far_as_the_asker_has_read(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        asked = await _ask(discord_server, club, club.channel, WHISTLE, page="4")
        shown = discord_server.press("tf1:.around", message=asked.messages[-1], user=club.ada)
        await discord_server.responded(shown)
        back = discord_server.slash("mypage", {"to": "1"}, user=club.ada, channel=club.channel)
        await discord_server.responded(back)
        again = discord_server.press("tf1:.around", message=asked.messages[-1], user=club.ada)
        await discord_server.responded(again)
    assert "Ines gave the whistle" in shown.texts[0]
    assert "whistle" not in again.texts[0]
    assert club.channel.texts == []


async def test_an_answer_beyond_the_threads_page_is_in_a_container_that_names_its_page(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    thread = discord_server.create_thread(club.channel, club.ada, "Lamp")
    async with running():
        asked = await _ask(discord_server, club, thread, WHISTLE, page="4")
    async with running():
        discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        (posted,) = await discord_server.posted(thread)
        await discord_server.wait_for(
            lambda: labels(asked.messages[-1]) == ["More here", "More passages", "Keep for later"]
        )
    assert posted.flags & COMPONENTS_V2
    assert _open(posted) == "**Beyond this thread's page: up to p. 4**"
    assert f"**Ada asked:** {WHISTLE}" in _hidden(posted)
    assert "harbour master" in _hidden(posted)
    assert posted.pings == set()


async def test_the_threads_page_counts_when_the_button_is_pressed(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        asked = await _ask(discord_server, club, club.channel, "Who lit the lamp?")
        discord_server.slash("setpage", {"to": "0"}, user=club.ben, channel=club.channel)
        await discord_server.posted(club.channel)
        discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        (_, posted) = await discord_server.posted(club.channel, 2)
    assert _open(posted) == "**Beyond this thread's page: up to p. 2**"
    assert "lamp" in _hidden(posted)


@pytest.mark.parametrize(
    "fault", [reset(accepted=True), reset(accepted=False), broken(503)], ids=["lost answer", "lost", "503"]
)
async def test_an_answer_whose_post_fails_at_first_appears_in_the_thread_once(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, fault: Fault
) -> None:
    await read_book()
    async with running():
        asked = await _ask(discord_server, club, club.channel, WHISTLE, page="4")
        discord_server.fail_next("POST", "/channels/{channel}/messages", fault)
        pressed = discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        await discord_server.wait_for(lambda: pressed.followups)
    assert len(discord_server.by_bot(club.channel)) == 1


async def test_where_the_bot_may_not_write_the_button_stays(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    discord_server.deny(club.channel, Right.SEND_MESSAGES)
    async with running():
        asked = await _ask(discord_server, club, club.channel, WHISTLE, page="4")
        pressed = discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        await discord_server.wait_for(lambda: pressed.followups)
    assert [one.content for one in pressed.followups] == ["I can't write here, so only you see the answer."]
    assert labels(asked.messages[-1]) == ["Show in the thread", "More here", "More passages", "Keep for later"]
    assert club.channel.texts == []


async def test_a_long_answer_hides_all_its_parts(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, services: PlatformServices
) -> None:
    await read_book()
    async with running():
        asked = await _ask(discord_server, club, club.channel, WHISTLE, page="4")
    wordy = replace(services, answers=LongAnswers("||" + "The wreck was hers. " * 500 + "||"))
    async with running(services=wordy):
        discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        parts = await discord_server.posted(club.channel, 3)
    assert [_open(one) for one in parts] == ["**Beyond this thread's page: up to p. 4**"] * 3
    assert sum(_hidden(one).count("The wreck") for one in parts) == 500
    assert all(_hidden(one).count("||") % 2 == 0 for one in parts)


async def test_an_answer_that_discord_refuses_reaches_no_one_else(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        discord_server.fail_next("POST", "/webhooks/{application}/{token}", refused(404, 10015))
        discord_server.slash("ask", {"question": WHISTLE}, user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: not any(plan.left for plan in discord_server.rest.plans))
        where = discord_server.slash("help", user=club.ben, channel=club.channel)
        await discord_server.responded(where)
    assert club.channel.texts == []
