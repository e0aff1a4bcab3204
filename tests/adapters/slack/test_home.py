"""App Home: a member's own clubs and page, and nothing of channels that they are not in."""

import pytest

from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import page_of
from tests.platform_servers.slack.faults import broken
from tests.platform_servers.slack.interactions import View
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import ChannelKind, Person


async def _home(server: SlackServer, person: Person) -> View:
    server.open_home(person)
    return await server.wait_for(lambda: server.platform.homes.get(person.id))


def _texts(view: View) -> list[str]:
    return [block["text"]["text"] for block in view.content["blocks"] if block["type"] in ("section", "header")]


async def test_a_member_sees_their_clubs_with_their_page(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    await read_book(slack_server.dm(club.ada), page="1", title="Alone")
    async with running() as client:
        await slack_server.responded(slack_server.slash("/thusfar", "mypage 3", user=club.ada, channel=club.channel))
        home = await _home(slack_server, club.ada)
        await client.settled()
    assert _texts(home) == [
        "Your book clubs",
        f"<#{club.channel.id}>: *The Lamp*, 4 pages, up to p. 2. Your own page: up to p. 3.\n▓▓▓▓▓▓▓░░░ 75 %",
        "Just you and me: *Alone*, 4 pages, up to p. 1.\n▓▓░░░░░░░░ 25 %",
    ]


@pytest.mark.parametrize("kind", [ChannelKind.PUBLIC, ChannelKind.PRIVATE])
async def test_nothing_is_seen_of_a_channel_that_one_is_not_in(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, kind: ChannelKind
) -> None:
    others = slack_server.add_channel("others", club.ben, kind=kind)
    await read_book(club.channel)
    await read_book(others, title="Their Secret", text="A comet was seen.\fIt went away.")
    async with running() as client:
        ada, ben = await _home(slack_server, club.ada), await _home(slack_server, club.ben)
        await client.settled()
    assert "Their Secret" not in str(ada.content)
    assert others.id not in str(ada.content)
    assert "Their Secret" in str(ben.content)


async def test_the_button_sets_ones_own_page_alone(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book(club.channel)
    async with running() as client:
        home = await _home(slack_server, club.ada)
        used = await slack_server.responded(slack_server.press_in(home, "tf1:.setpage:mypage", user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "3"})
        (told,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
        await client.settled()
    assert told.content.startswith("Your own page is set: up to p. 3.")
    assert await page_of(house, slack_server, club.channel) == 2


async def test_without_a_club_it_says_how_to_begin(slack_server: SlackServer, club: Club, running: Running) -> None:
    async with running():
        home = await _home(slack_server, club.ada)
    assert "/thusfar book use sample" in _texts(home)[1]


async def test_the_messages_tab_is_none_of_it(slack_server: SlackServer, club: Club, running: Running) -> None:
    async with running() as client:
        slack_server.open_home(club.ada, tab="messages")
        await slack_server.settled()
        await client.settled()
    assert slack_server.calls_of("views.publish") == []


async def test_a_home_is_shown_as_soon_as_slack_answers_again(
    slack_server: SlackServer, club: Club, running: Running
) -> None:
    async with running() as client:
        slack_server.fail_next("users.conversations", broken(503))
        await _home(slack_server, club.ada)
        await client.settled()


async def test_the_page_of_a_talk_alone_is_the_one_that_was_set_there_and_shown_anew(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    alone = slack_server.dm(club.ada)
    await read_book(alone, page=None, title="Alone")
    async with running() as client:
        home = await _home(slack_server, club.ada)
        assert _texts(home)[1] == "Just you and me: *Alone*, 4 pages, no page set."
        slack_server.say(alone, club.ada, "setpage 2")
        await slack_server.wait_for(lambda: "up to p. 2" in _texts(slack_server.platform.homes[club.ada.id])[1])
        await client.settled()
    assert _texts(slack_server.platform.homes[club.ada.id])[1].endswith("up to p. 2.\n▓▓▓▓▓░░░░░ 50 %")


async def test_a_question_is_asked_from_there_by_its_button(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        home = await _home(slack_server, club.ada)
        used = await slack_server.responded(slack_server.press_in(home, "tf1:.setpage:ask", user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "Who lit the lamp?"})
        (told,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
        await client.settled()
    assert "Marrable" in told.content
