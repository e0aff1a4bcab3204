"""App Home: a member's clubs and pages, and nothing about channels they are not in."""

import pytest

from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import page_of
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
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    await read_book(slack_server.dm(club.ada), page="1", title="Alone")
    async with settling():
        await slack_server.responded(slack_server.slash("/thusfar", "mypage 3", user=club.ada, channel=club.channel))
        home = await _home(slack_server, club.ada)
    assert _texts(home) == [
        "Your book clubs",
        f"<#{club.channel.id}>: *The Lamp*, 4 pages, up to p. 2. Your own page: up to p. 3.\n▓▓▓▓▓▓▓░░░ 75 %",
        "Just you and me: *Alone*, 4 pages, up to p. 1.\n▓▓░░░░░░░░ 25 %",
    ]


@pytest.mark.parametrize("kind", [ChannelKind.PUBLIC, ChannelKind.PRIVATE])
async def test_channels_that_the_member_is_not_in_are_not_shown(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, kind: ChannelKind
) -> None:
    others = slack_server.add_channel("others", club.ben, kind=kind)
    await read_book()
    await read_book(others, title="Their Secret", text="A comet was seen.\fIt went away.")
    async with settling():
        ada, ben = await _home(slack_server, club.ada), await _home(slack_server, club.ben)
    assert "Their Secret" not in str(ada.content)
    assert others.id not in str(ada.content)
    assert "Their Secret" in str(ben.content)


async def test_the_button_sets_only_ones_own_page(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with settling():
        home = await _home(slack_server, club.ada)
        used = await slack_server.responded(slack_server.press_in(home, "tf1:.setpage:mypage", user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "3"})
        (told,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
    assert told.content.startswith("Your own page is set: up to p. 3.")
    assert await page_of(house, slack_server, club.channel) == 2


async def test_without_a_club_it_says_how_to_begin(slack_server: SlackServer, club: Club, running: Running) -> None:
    async with running():
        home = await _home(slack_server, club.ada)
    assert "/thusfar book use sample" in _texts(home)[1]


async def test_the_page_of_a_private_conversation_is_shown_and_refreshed(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    alone = slack_server.dm(club.ada)
    await read_book(alone, page=None, title="Alone")
    async with settling():
        home = await _home(slack_server, club.ada)
        assert _texts(home)[1] == "Just you and me: *Alone*, 4 pages, no page set."
        slack_server.say(alone, club.ada, "setpage 2")
        await slack_server.wait_for(lambda: "up to p. 2" in _texts(slack_server.platform.homes[club.ada.id])[1])
    assert _texts(slack_server.platform.homes[club.ada.id])[1].endswith("up to p. 2.\n▓▓▓▓▓░░░░░ 50 %")


async def test_a_question_is_asked_from_there_by_its_button(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        home = await _home(slack_server, club.ada)
        used = await slack_server.responded(slack_server.press_in(home, "tf1:.setpage:ask", user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "Who lit the lamp?"})
        (told,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
    assert "Marrable" in told.content
