"""Reactions show the steps of a turn on the asker's message, in order, and never delay the answer."""

from dataclasses import replace

import pytest

from adapters.slack.options import EMOJI
from core.domain.chat_event import ToolInvocationEvent, ToolResultEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.platform_servers.slack.faults import broken, rate_limited, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])


async def test_the_emoji_are_the_operators(slack_server: SlackServer, club: Club, running: Running) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["Who?"])
    emoji = replace(EMOJI, searching=":eyes:")
    async with running(answers, emoji=emoji):
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.wait_for(lambda: list(asked.reactions) == ["eyes"])
        answers.release("Who?")
        await slack_server.answer_to(asked)


@pytest.mark.parametrize(
    "fault",
    [broken(503), reset(accepted=False), reset(accepted=True), rate_limited(0)],
    ids=["503", "reset", "lost answer", "too often"],
)
async def test_a_reaction_that_fails_at_first_does_no_harm(
    slack_server: SlackServer, club: Club, running: Running, fault: object
) -> None:
    slack_server.fail_next("reactions.add", fault)  # type: ignore[arg-type]
    answers = ScriptedAnswers(events=[SEARCH, NOTHING])
    async with running(answers):
        asked = slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.answer_to(asked)
        await slack_server.wait_for(lambda: list(asked.reactions) == ["shrug"])


async def test_a_missing_right_is_reported_to_an_organiser_once(
    slack_server: SlackServer, club: Club, running: Running
) -> None:
    slack_server.grant(without=["reactions:write"])
    async with running(ScriptedAnswers(events=[SEARCH])) as client:
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who?"))
        for user in (club.ada, club.organiser, club.organiser):
            slack_server.slash("/thusfar", "book list", user=user, channel=club.channel)
            await slack_server.settled()
            await client.settled()
    told = [one.content for one in slack_server.seen_by(club.organiser, club.channel)]
    assert len([one for one in told if one.startswith("I can't react")]) == 1
    assert not [one for one in slack_server.seen_by(club.ada, club.channel) if "react" in one.content]
