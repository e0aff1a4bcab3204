"""Public replies of commands: links for what has no name on Slack, and extra slashes are ignored."""

from tests.adapters.slack.conftest import ReadBook, Running
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_threads_that_keep_their_own_page_are_linked_to(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        thread = slack_server.mention(club.channel, club.ada, "setpage 1")
        slack_server.mention(club.channel, club.ada, "setpage 1", thread.ts)
        await slack_server.answer_to(thread)
        slack_server.slash("/setpage", "0", user=club.ada, channel=club.channel)
        line = (await slack_server.posted(club.channel, 3))[-1]
    link = f"{slack_server.url}/archives/{club.channel.id}/p{thread.ts.replace('.', '')}"
    assert line.content.endswith(f"1 thread keeps its own page. ([1]({link}))")
    assert line.text.endswith("1 thread keeps its own page. (1)")
    assert not line.unfurls


async def test_a_slash_too_many_is_forgiven(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        slack_server.slash("/thusfar", "/where", user=club.ada, channel=club.channel)
        (line,) = await slack_server.posted(club.channel)
    assert line.content == "▓▓▓▓▓░░░░░ 50 %\nThe Lamp, 4 pages: up to p. 2."
