"""Buttons under answers, moves and questions: they survive a restart, and are removed when they no longer apply."""

import pytest

from bot.wiring import Application
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import labels, titles_of
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message


async def _answer(server: SlackServer, club: Club) -> Message:
    return await server.answer_to(server.mention(club.channel, club.ada, "Who lit the lamp?"))


async def test_the_text_around_a_passage_is_shown_to_the_presser(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
    async with settling():
        slack_server.press("tf1:.around", message=answer, user=club.ben)
        (shown,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ben, club.channel))
    assert "Marrable the keeper lit the lamp" in shown.content
    assert shown.thread_ts == answer.thread_ts
    assert labels(answer) == ["More here", "More passages", "Keep for later", "Set page", "👍", "👎"]


@pytest.mark.parametrize("thumb", [".up", ".down"])
async def test_feedback_is_stored(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, thumb: str
) -> None:
    await read_book()
    async with settling():
        answer = await _answer(slack_server, club)
        slack_server.press(f"tf1:.feedback=tf1:{thumb}", message=answer, user=club.ben)
        (shown,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ben, club.channel))
    assert shown.content == "Thank you, noted."


async def test_a_removal_is_confirmed_and_refused_to_other_members(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with settling():
        used = await slack_server.responded(
            slack_server.slash("/thusfar", "book remove the lamp", user=club.organiser, channel=club.channel)
        )
        assert await titles_of(house, slack_server, club.channel) == ["The Lamp"]
        slack_server.press("tf1:.remove", message=used.messages[0], user=club.organiser)
        (told,) = await slack_server.wait_for(
            lambda: [one for one in slack_server.seen_by(club.organiser, club.channel) if "gone" in one.content]
        )
    assert told.content == "The Lamp is gone."
    assert await titles_of(house, slack_server, club.channel) == []
