"""A private answer is seen by its asker alone; shown in the thread, each reader opens it, warned by their own page."""

import pytest

from adapters.platform.buttons import NOT_VALID
from adapters.slack.manifest import SHORTCUT
from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import asked_alone, labels
from tests.platform_servers.slack.faults import Fault, broken, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message, Person

WHISTLE = "What did Ines do with the whistle?"
TOLD = "harbour master"


async def _shown(server: SlackServer, club: Club, question: str = WHISTLE, *, page: str = "4") -> Message:
    """Ada asks, and has the answer shown to all."""
    answer = await asked_alone(server, club, question, page=page)
    before = len(server.by_bot(club.channel))
    server.press("tf1:.post", message=answer, user=club.ada)
    return (await server.posted(club.channel, before + 1))[-1]


async def _opened(server: SlackServer, club: Club, shown: Message, reader: Person) -> Message:
    """Somebody presses the button under it; returns what they alone see."""
    before = len(server.seen_by(reader, club.channel))
    server.press("tf1:.reveal", message=shown, user=reader)
    return (
        await server.wait_for(lambda: seen if len(seen := server.seen_by(reader, club.channel)) > before else None)
    )[-1]


async def test_an_answer_beyond_the_page_stands_there_as_a_button_that_names_it(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        shown = await _shown(slack_server, club)
        await client.settled()
    assert shown.content == "**Ada shares an answer.** Beyond this thread's page: up to p. 4"
    assert labels(shown) == ["Show it to me"]
    assert TOLD not in str(shown.versions)
    assert "whistle" not in str(shown.versions)


async def test_whoever_has_not_read_so_far_is_warned_first(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        shown = await _shown(slack_server, club)
        warned = await _opened(slack_server, club, shown, club.ben)
        assert warned.content == "That answer goes up to p. 4, and you have read up to p. 2. It may give things away."
        slack_server.press("tf1:.reveal-anyway", message=warned, user=club.ben)
        (seen,) = await slack_server.wait_for(
            lambda: [one for one in slack_server.seen_by(club.ben, club.channel) if TOLD in one.content]
        )
        await client.settled()
    assert WHISTLE in seen.content
    assert warned.is_deleted
    assert labels(shown) == ["Show it to me"]


async def test_whoever_has_read_so_far_sees_it_at_once(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        shown = await _shown(slack_server, club)
        await slack_server.responded(slack_server.slash("/thusfar", "mypage 4", user=club.ben, channel=club.channel))
        seen = await _opened(slack_server, club, shown, club.ben)
        await client.settled()
    assert TOLD in seen.content
    assert TOLD not in "".join(one.content for one in slack_server.by_bot(club.channel))


@pytest.mark.parametrize("fault", [reset(accepted=True), reset(accepted=False), broken(503)])
async def test_trouble_on_the_way_leaves_it_there_once(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, fault: Fault
) -> None:
    await read_book(club.channel)
    async with running() as client:
        answer = await asked_alone(slack_server, club, WHISTLE, page="4")
        slack_server.fail_next("chat.postMessage", fault)
        slack_server.press("tf1:.post", message=answer, user=club.ada)
        await slack_server.posted(club.channel)
        await slack_server.settled()
        await client.settled()
    assert len(slack_server.by_bot(club.channel)) == 1


async def test_where_the_bot_may_not_write_the_asker_is_told(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        answer = await asked_alone(slack_server, club, WHISTLE, page="4")
        slack_server.remove_bot(club.channel)
        slack_server.press("tf1:.post", message=answer, user=club.ada)
        (told,) = await slack_server.posted(slack_server.dm(club.ada))
        await client.settled()
    assert told.content == "I can't write here, so only you see the answer."


async def test_in_a_thread_the_answer_is_seen_there(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running() as client:
        first = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await slack_server.answer_to(first)
        slack_server.mention(club.channel, club.ada, "ask Who mended the window?", first.ts)
        (seen,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
        await client.settled()
    assert seen.thread_ts == first.ts
    assert "sail" in seen.content


async def test_where_the_thread_is_not_active_it_comes_as_a_dm_whose_buttons_work(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    lonely = slack_server.say(club.channel, club.ben, "Lovely weather.")
    async with running() as client:
        used = await slack_server.responded(slack_server.shortcut(SHORTCUT, message=lonely, user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "ask Who lit the lamp?"})
        (told,) = await slack_server.posted(slack_server.dm(club.ada))
        assert slack_server.by_bot(club.channel) == []
        slack_server.press("tf1:.post", message=told, user=club.ada)
        (shown,) = await slack_server.posted(club.channel)
        await client.settled()
    assert "Marrable" in told.content
    assert shown.thread_ts == lonely.ts
    assert "Marrable" in shown.content


async def test_a_stranger_cannot_show_what_is_not_theirs(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book(club.channel)
    async with running() as client:
        await asked_alone(slack_server, club, WHISTLE, page="4")
        row = {
            "type": "actions",
            "block_id": f"tf1@{club.channel.id}:",
            "elements": [
                {"type": "button", "action_id": "tf1:.post:1", "text": {"type": "plain_text", "text": "Show"}}
            ],
        }
        forged = slack_server.platform.post(club.channel, slack_server.bot, {"text": "x", "blocks": [row]})
        slack_server.press("tf1:.post", message=forged, user=club.ben)
        (told,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ben, club.channel))
        await client.settled()
    assert told.content == NOT_VALID
