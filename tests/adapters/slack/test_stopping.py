"""Requests during a stop are asked to try again, so no one waits in vain."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.platform.running_tasks import STOPPING
from adapters.slack.client import ThusfarSlack
from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import contents, page_of
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


@asynccontextmanager
async def _stopping(
    server: SlackServer, club: Club, client: ThusfarSlack, answers: ScriptedAnswers
) -> AsyncIterator[None]:
    """Keep a stop waiting for an answer while the block runs."""
    asked = server.mention(club.channel, club.ben, "Who lit the slow lamp?")
    await answers.was_asked()
    stop = asyncio.create_task(client.finish(within=10))
    # The stop must have begun, and it does so before it waits for anything.
    await asyncio.sleep(0)
    yield
    answers.release("Who lit the slow lamp?")
    await stop
    assert len(server.replies_to(asked)) == 1


async def test_a_command_a_button_and_a_form_are_refused_in_one_sentence(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    house: Application,
) -> None:
    await read_book()
    answers = ScriptedAnswers(held=["Who lit the slow lamp?"])
    async with running(answers) as client:
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Quick?"))
        pressed = slack_server.press("tf1:.setpage", message=answer, user=club.ada)
        await slack_server.responded(pressed)
        assert pressed.modal is not None
        answers.asked.clear()
        async with _stopping(slack_server, club, client, answers):
            typed = await slack_server.responded(
                slack_server.slash("/setpage", "1", user=club.ada, channel=club.channel)
            )
            thumb = await slack_server.responded(
                slack_server.press("tf1:.feedback=tf1:.up", message=answer, user=club.ada)
            )
            sent = await slack_server.responded(slack_server.submit(pressed.modal, {"text": "1"}))
    assert contents(typed) == [STOPPING]
    assert contents(thumb) == [STOPPING]
    assert sent.errors == {"text": STOPPING}
    assert not pressed.modal.is_closed
    assert await page_of(house, slack_server, club.channel) == 2


async def test_a_button_of_app_home_is_answered_in_a_dm(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    answers = ScriptedAnswers(held=["Who lit the slow lamp?"])
    async with running(answers) as client:
        slack_server.open_home(club.ada)
        home = await slack_server.wait_for(lambda: slack_server.platform.homes.get(club.ada.id))
        async with _stopping(slack_server, club, client, answers):
            slack_server.press_in(home, "tf1:.setpage:mypage", user=club.ada)
            told = await slack_server.posted(slack_server.dm(club.ada))
    assert [one.content for one in told] == [STOPPING]
