"""`/thusfar WORD ...`, `/setpage`, and the same words said to the bot where Slack has no commands."""

import pytest

from adapters.platform.services import PlatformServices
from core.domain.errors import LLMError, LLMErrorCode
from tests.adapters.slack.conftest import LIGHTHOUSE, ReadBook, Running
from tests.adapters.slack.using import contents, labels, pinged
from tests.adapters.watching import watched
from tests.platform_servers.slack.faults import broken, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

LAST_WORDS = f"The last words you read: “… {' '.join(LIGHTHOUSE.split(chr(12))[0].split()[-12:])}”"


_SEEN: tuple[tuple[str, str, bool, list[str], list[str]], ...] = (
    ("/thusfar", "WHERE", False, [], ["▓▓▓▓▓░░░░░ 50 %\nThe Lamp, 4 pages: up to p. 2."]),
    ("/thusfar", "book list", False, ["▸ The Lamp, 4 pages"], []),
    ("/thusfar", "book use the lamp", True, [], ["Olga opened The Lamp by N. N., 4 pages."]),
    ("/thusfar", "usage", False, ["`/thusfar usage` is for organisers of this club."], []),
    ("/thusfar", "book use the lamp", False, ["`/thusfar book use` is for organisers of this club."], []),
    ("/thusfar", "book add", True, ["Attach the book's file to `/thusfar book add`."], []),
    ("/thusfar", "dance", False, ["I don't know that command. `/thusfar help` shows what I can do."], []),
    ("/thusfar", "mypage 0", False, ["Your own page is set: nothing read yet."], []),
    ("/setpage", "1", False, [LAST_WORDS], ["Ada set the club's page back from p. 2 to p. 1 (25 %)."]),
)


async def test_the_private_and_the_public_reply(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running() as client:
        for command, text, by_organiser, private, public in _SEEN:
            user, before = club.organiser if by_organiser else club.ada, len(slack_server.by_bot(club.channel))
            used = slack_server.slash(command, text, user=user, channel=club.channel)
            await slack_server.settled()
            await client.settled()
            assert contents(used) == private
            assert [one.content for one in slack_server.by_bot(club.channel)[before:]] == public
            assert all(one.is_ephemeral for one in used.messages)
            assert pinged([*used.messages, *slack_server.by_bot(club.channel)]) == set()


@pytest.mark.parametrize("text", ["where", "setpage 1", "ask Who?", "help"])
async def test_a_command_is_acknowledged_while_core_is_still_working(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, services: PlatformServices, text: str
) -> None:
    await read_book()
    slow, commands = watched(services)
    commands.open.clear()
    async with settling(services=slow):
        used = slack_server.slash("/thusfar", text, user=club.ada, channel=club.channel)
        await slack_server.wait_for(lambda: used.is_acked)
        assert (contents(used), slack_server.by_bot(club.channel)) == ([], [])
        commands.open.set()
    assert used.messages or slack_server.by_bot(club.channel)


@pytest.mark.parametrize("over_http", [False, True], ids=["socket", "http"])
@pytest.mark.parametrize(
    "fails", [RuntimeError("broken"), LLMError(LLMErrorCode.OVERLOADED, "busy")], ids=["bug", "model"]
)
async def test_a_command_that_fails_is_acknowledged_and_reported_in_a_sentence(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    fails: Exception,
    over_http: bool,
) -> None:
    breaking, commands = watched(services)
    commands.fails = fails
    async with running(services=breaking, over_http=over_http):
        used = slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        await slack_server.responded(used)
    (told,) = contents(used)
    assert told.endswith(".")
    assert "broken" not in told
    assert not used.is_timed_out


async def test_a_public_line_pings_no_one_and_shows_a_name_unchanged(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    loud = slack_server.add_person("*Eve* <!channel> @everyone", club.channel)
    async with settling():
        slack_server.slash("/setpage", "1", user=loud, channel=club.channel)
        await slack_server.posted(club.channel)
    (line,) = slack_server.by_bot(club.channel)
    assert line.content.startswith("\\*Eve\\* \\<\u200b!channel\\> @\u200beveryone set the club's page back")
    assert line.text.startswith("*Eve* &lt;\u200b!channel&gt; @\u200beveryone set the club's page back")
    assert line.pings == set()


async def test_where_the_bot_is_no_member_only_the_asker_sees_it(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    elsewhere = slack_server.add_channel("elsewhere", club.ada, with_bot=False)
    await read_book(elsewhere)
    async with running():
        used = slack_server.slash("/setpage", "1", user=club.ada, channel=elsewhere)
        await slack_server.responded(used)
    (told,) = contents(used)
    assert told.startswith("Ada set the club's page back from p. 2 to p. 1 (25 %).")
    assert "Please /invite me" in told
    assert labels(used.messages[0]) == ["Undo", "Only for me"]


async def test_an_expired_response_url_is_replaced(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        slack_server.slash("/thusfar", "book list", user=club.ada, channel=club.channel, expired=True)
        (seen,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
    assert seen.content == "▸ The Lamp, 4 pages"


@pytest.mark.parametrize(
    "fault", [broken(503), reset(accepted=True), reset(accepted=False)], ids=["503", "lost answer", "lost"]
)
async def test_a_public_line_appears_once_despite_connection_faults(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, fault: object
) -> None:
    await read_book()
    async with settling():
        slack_server.fail_next("chat.postMessage", fault)  # type: ignore[arg-type]
        slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        await slack_server.posted(club.channel)
        await slack_server.settled()
    assert len(slack_server.by_bot(club.channel)) == 1


async def test_a_channel_that_is_not_allowed_is_refused(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running(allowed_channels=frozenset({"C0OTHER"})):
        used = await slack_server.responded(
            slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        )
    assert contents(used) == ["I'm not set up to speak in this channel."]


@pytest.mark.parametrize("named", [True, False])
async def test_the_operator_may_name_organisers(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, named: bool
) -> None:
    await read_book()
    async with running(organisers=frozenset({club.ada.id} if named else ())):
        used = await slack_server.responded(
            slack_server.slash("/thusfar", "usage", user=club.ada, channel=club.channel)
        )
    assert ("organisers" in contents(used)[0]) is not named
