"""The words of commands, said to the bot in threads where Slack has no commands; and threads that `chat` opens."""

import pytest

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.slack.conftest import LIGHTHOUSE, ReadBook, Running
from tests.adapters.slack.using import labels, page_of
from tests.adapters.watching import watched
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

LAST_WORDS = f"The last words you have read: “… {' '.join(LIGHTHOUSE.split(chr(12))[0].split()[-12:])}”"


def _thread(server: SlackServer, club: Club) -> Message:
    return server.platform.post(club.channel, server.bot, {"text": "Olga opens a thread."})


async def test_a_mention_in_a_thread_does_what_a_command_cannot_do_there(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book(club.channel)
    root = _thread(slack_server, club)
    async with running() as client:
        said = slack_server.mention(club.channel, club.ada, "setpage 1", root.ts)
        line = await slack_server.answer_to(said)
        await client.settled()
        await slack_server.wait_for(lambda: list(said.reactions) == ["white_check_mark"])
    assert line.content == "Ada set the thread back from p. 2 to p. 1 (25 %)."
    assert labels(line) == ["Undo", "Only for me"]
    (words,) = slack_server.seen_by(club.ada, club.channel)
    assert (words.content, words.thread_ts) == (LAST_WORDS, root.ts)
    assert await page_of(house, slack_server, club.channel, root.ts) == 1
    assert await page_of(house, slack_server, club.channel) == 2


async def test_a_command_that_is_mentioned_in_a_channel_is_about_the_channel(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book(club.channel)
    async with running() as client:
        slack_server.mention(club.channel, club.ada, "setpage 1")
        (line,) = await slack_server.posted(club.channel)
        await client.settled()
    assert line.thread_ts is None
    assert await page_of(house, slack_server, club.channel) == 1


@pytest.mark.parametrize(
    ("said", "is_command"),
    [
        ("where", True),
        ("/setpage 1", True),
        ("mypage 3", True),
        ("where is the whistle?", False),
        ("help me understand the lamp", False),
        ("chat with us about the lamp", False),
        ("listen mentions", True),
        ("listen, who lit the lamp?", False),
        ("listen to this", False),
    ],
)
async def test_a_question_that_begins_like_a_command_is_a_question(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, services: PlatformServices,
    said: str, is_command: bool,
) -> None:  # fmt: skip
    await read_book(club.channel)
    seen, commands = watched(services)
    root = _thread(slack_server, club)
    async with running(services=seen) as client:
        asked = slack_server.mention(club.channel, club.ada, said, root.ts)
        await slack_server.settled()
        await client.settled()
    assert bool(commands.ran) is is_command
    assert slack_server.replies_to(asked) or slack_server.seen_by(club.ada, club.channel)


async def test_chat_opens_a_thread_and_answers_in_it(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        slack_server.slash("/thusfar", "chat Who lit the lamp?", user=club.ada, channel=club.channel)
        root, asked, answer = await slack_server.posted(club.channel, 3)
        further = slack_server.reply(root, club.ben, "And the window?")
        await slack_server.answer_to(further)
        await client.settled()
    assert root.content == "Ada opens a thread about The Lamp."
    assert asked.content == "Ada asks: Who lit the lamp?"
    assert "Marrable" in answer.content
    assert {asked.thread_ts, answer.thread_ts} == {root.ts}
    assert labels(answer) == ["Sources", "👍", "👎", "Set page"]


async def test_where_no_page_is_set_a_thread_is_told_what_can_be_typed_in_it(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel, page=None)
    async with running():
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
    assert "`@thusfar setpage 120`" in answer.content
    assert answer.pings == set()
