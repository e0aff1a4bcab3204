"""Commands said to the bot in threads, where Slack has no slash commands, and threads that `chat` opens."""

from tests.adapters.slack.conftest import ReadBook, Running
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_without_a_page_a_thread_is_told_what_to_type(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(page=None)
    async with running():
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
    assert "`@thusfar setpage 120`" in answer.content
    assert answer.pings == set()
