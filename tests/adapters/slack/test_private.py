"""Only the asker sees a private answer; once shared, each reader opens it, with a warning if they have read less."""

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
    """Ask as Ada, and share the answer in the thread."""
    answer = await asked_alone(server, club, question, page=page)
    before = len(server.by_bot(club.channel))
    server.press("tf1:.post", message=answer, user=club.ada)
    return (await server.posted(club.channel, before + 1))[-1]


async def _opened(server: SlackServer, club: Club, shown: Message, reader: Person) -> Message:
    """Press the button under a shared answer; return what only the presser sees."""
    before = len(server.seen_by(reader, club.channel))
    server.press("tf1:.reveal", message=shown, user=reader)
    return (
        await server.wait_for(lambda: seen if len(seen := server.seen_by(reader, club.channel)) > before else None)
    )[-1]


async def test_an_answer_beyond_the_page_is_a_button_that_names_its_page(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        shown = await _shown(slack_server, club)
    assert shown.content == "**Ada shares an answer.** Beyond this thread's page: up to p. 4"
    assert labels(shown) == ["Show it to me"]
    assert TOLD not in str(shown.versions)
    assert "whistle" not in str(shown.versions)


async def test_readers_who_have_read_less_are_warned_first(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        shown = await _shown(slack_server, club)
        warned = await _opened(slack_server, club, shown, club.ben)
        assert warned.content == "That answer goes up to p. 4, and you have read up to p. 2. It may give things away."
        slack_server.press("tf1:.reveal-anyway", message=warned, user=club.ben)
        (seen,) = await slack_server.wait_for(
            lambda: [one for one in slack_server.seen_by(club.ben, club.channel) if TOLD in one.content]
        )
    assert WHISTLE in seen.content
    assert warned.is_deleted
    assert labels(shown) == ["Show it to me"]


async def test_readers_who_have_read_that_far_see_it_at_once(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        shown = await _shown(slack_server, club)
        await slack_server.responded(slack_server.slash("/thusfar", "mypage 4", user=club.ben, channel=club.channel))
        seen = await _opened(slack_server, club, shown, club.ben)
    assert TOLD in seen.content
    assert TOLD not in "".join(one.content for one in slack_server.by_bot(club.channel))


@pytest.mark.parametrize("fault", [reset(accepted=True), reset(accepted=False), broken(503)])
async def test_an_answer_whose_post_fails_at_first_appears_once(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, fault: Fault
) -> None:
    await read_book()
    async with settling():
        answer = await asked_alone(slack_server, club, WHISTLE, page="4")
        slack_server.fail_next("chat.postMessage", fault)
        slack_server.press("tf1:.post", message=answer, user=club.ada)
        await slack_server.posted(club.channel)
        await slack_server.settled()
    assert len(slack_server.by_bot(club.channel)) == 1


async def test_where_the_bot_may_not_write_the_asker_is_told(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        answer = await asked_alone(slack_server, club, WHISTLE, page="4")
        slack_server.remove_bot(club.channel)
        slack_server.press("tf1:.post", message=answer, user=club.ada)
        (told,) = await slack_server.posted(slack_server.dm(club.ada))
    assert told.content == "I can't write here, so only you see the answer."


async def test_in_a_thread_the_answer_is_seen_there(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        first = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await slack_server.answer_to(first)
        slack_server.mention(club.channel, club.ada, "ask Who mended the window?", first.ts)
        (seen,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ada, club.channel))
    assert seen.thread_ts == first.ts
    assert "sail" in seen.content


async def test_if_the_thread_is_not_open_the_answer_is_a_dm_with_working_buttons(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    lonely = slack_server.say(club.channel, club.ben, "Lovely weather.")
    async with settling():
        used = await slack_server.responded(slack_server.shortcut(SHORTCUT, message=lonely, user=club.ada))
        assert used.modal is not None
        slack_server.submit(used.modal, {"text": "ask Who lit the lamp?"})
        (told,) = await slack_server.posted(slack_server.dm(club.ada))
        assert slack_server.by_bot(club.channel) == []
        slack_server.press("tf1:.post", message=told, user=club.ada)
        (shown,) = await slack_server.posted(club.channel)
    assert "Marrable" in told.content
    assert shown.thread_ts == lonely.ts
    assert "Marrable" in shown.content


async def test_a_member_cannot_share_an_answer_of_another(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with settling():
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
    assert told.content == NOT_VALID
