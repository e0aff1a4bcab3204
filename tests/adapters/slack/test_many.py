"""Concurrency: threads in parallel, one thread in order, workspaces isolated from each other."""

import pytest

from bot.wiring import Application
from tests.adapters.slack.conftest import LIGHTHOUSE, ReadBook, Running
from tests.platform_servers.discord.pointing import dialled
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_two_workspaces_are_isolated(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with SlackServer() as second:
        # Ids are per team: an equal channel id in another team gives no access.
        second.platform.team_id = "T0OTHERTEAM"
        other = second.add_club()
        assert other.channel.id == club.channel.id
        changes = {"bot_token": second.token, "app_token": second.app_token, "api_base": second.api_base}
        async with running(), running(**changes) as client:
            here = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
            second.mention(other.channel, other.ada, "Who lit the lamp?")
            (there,) = await second.wait_for(lambda: second.seen_by(other.ada, other.channel))
            listed = await second.responded(
                second.slash("/thusfar", "book list", user=other.ada, channel=other.channel)
            )
            await client.settled()
    assert "Marrable" in here.content
    assert "There's no book here yet" in there.content
    assert "There are no books here yet" in listed.messages[0].content
    scopes = [f"slack:{one.platform.team_id}" for one in (slack_server, second)]
    assert [len(await house.library.in_scope(scope=scope)) for scope in scopes] == [1, 0]


@pytest.mark.parametrize("over_http", [False, True], ids=["socket", "http"])
async def test_no_other_host_is_dialled(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, over_http: bool
) -> None:
    await read_book()
    book = slack_server.upload("lamp.txt", LIGHTHOUSE.encode(), owner=club.organiser)
    with dialled() as hosts:
        async with settling(over_http=over_http):
            asked = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
            await slack_server.answer_to(asked)
            used = slack_server.slash("/thusfar", "help", user=club.ada, channel=club.channel)
            await slack_server.responded(used)
            direct = slack_server.dm(club.organiser)
            slack_server.say(direct, club.organiser, "book add", files=[book])
            await slack_server.settled()
    assert hosts == {"127.0.0.1"}
