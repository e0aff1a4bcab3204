"""The bot greets a channel that it is added to, and anyone who opens its messages, once each."""

from core.domain.messages import OF_YOUR_CLUBS, WELCOME_ALONE
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import labels
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_a_channel_is_greeted_once(
    slack_server: SlackServer, club: Club, running: Running, settling: Running
) -> None:
    bot = slack_server.bot
    slack_server.leave(club.channel, bot)
    async with running():
        slack_server.join(club.channel, bot)
        await slack_server.posted(club.channel, 1)
    async with settling():
        slack_server.leave(club.channel, bot)
        slack_server.join(club.channel, bot)
        slack_server.join(club.channel, slack_server.add_person("Eve"))
        await slack_server.settled()
    (welcome,) = slack_server.by_bot(club.channel)
    first, second, third = welcome.content.splitlines()
    assert first.startswith("Hello, I'm Thusfar.")
    assert second.startswith("`/thusfar book use sample` opens a short mystery to try me with. `/thusfar book add`")
    assert third == ("`/setpage 18` tells me how far you've all read. Then mention me and ask: “Who is Hallam?”")


async def test_a_member_who_opens_the_messages_is_greeted_once_and_offered_the_clubs_books(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    alone = slack_server.dm(club.ada)
    async with settling() as client:
        for _ in range(2):
            slack_server.open_home(club.ada, tab="messages")
            await slack_server.settled()
            await client.settled()
        (welcome,) = slack_server.by_bot(alone)
        assert welcome.content.startswith(WELCOME_ALONE.splitlines()[0])
        assert welcome.content.endswith(OF_YOUR_CLUBS)
        assert labels(welcome) == ["Read The Lamp"]
        slack_server.press("tf1:.own", message=welcome, user=club.ada)
        await slack_server.posted(alone, 2)
    assert slack_server.by_bot(alone)[-1].content.startswith("You opened The Lamp by N. N., 4 pages.")
