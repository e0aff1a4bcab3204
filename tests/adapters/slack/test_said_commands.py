"""The words of commands, said to the bot in threads where Slack has no commands; and threads that `chat` opens."""

from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import labels
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


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
    assert labels(answer) == ["Sources", "Keep for later", "Set page", "👍", "👎"]


async def test_where_no_page_is_set_a_thread_is_told_what_can_be_typed_in_it(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel, page=None)
    async with running():
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
    assert "`@thusfar setpage 120`" in answer.content
    assert answer.pings == set()
