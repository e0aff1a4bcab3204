"""Edits and deletions of a message, and the text of a question as core gets it."""

import pytest

from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import ReadBook, Running, place_of
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message
from tests.stored import said_in


@pytest.mark.parametrize("has_replies", [True, False], ids=["with replies", "without"])
async def test_a_deleted_message_is_emptied(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook, house: Application, has_replies: bool
) -> None:
    direct = slack_server.dm(club.ada)
    place = club.channel if has_replies else direct
    await read_book(place)
    async with settling() as client:
        asked = slack_server.say(place, club.ada, f"{slack_server.bot.mention} Who lit the lamp?")
        await slack_server.wait_for(lambda: slack_server.by_bot(place))
        await client.settled()
        slack_server.delete(asked)
        await slack_server.settled()
    assert await _stored(house, slack_server, asked) == ""


async def test_mentions_in_a_question_are_names_and_marks_are_words(
    slack_server: SlackServer, club: Club, running: Running
) -> None:
    answers = ScriptedAnswers()
    text = f"What would {club.ben.mention} &amp; <#C123|books> say of <https://example.org|this> &lt;thing&gt;?"
    async with running(answers):
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, text))
    (asked,) = answers.asked
    assert asked.text == "What would @Ben & #books say of this <thing>?"
    assert asked.author.display_name == "Ada"


async def _stored(house: Application, server: SlackServer, message: Message) -> str | None:
    """Return the stored text of a message."""
    ref = f"slack:{server.platform.team_id}:{message.channel.id}:{message.ts}"
    thread = place_of(server, message.channel, message.ts)
    state = await house.threads.current(thread)
    assert state is not None
    found = await _messages(house, state.conversation_id)
    return found.get(ref)


async def _messages(house: Application, conversation_id: str) -> dict[str | None, str]:
    """Return the messages of a conversation by their platform ids."""
    messages = await said_in(house.database, conversation_id)
    return {message.platform_ref: message.content for message in messages}
