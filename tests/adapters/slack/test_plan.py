"""The steps of an answer that takes long are a plan, under which the whole answer appears at once."""

from collections.abc import Sequence

import pytest

from adapters.slack import surface
from core.domain.chat_event import ChatEvent, DraftMadeEvent, ToolInvocationEvent, ToolResultEvent, TurnBegunEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import Running
from tests.builders import a_passage
from tests.platform_servers.slack.faults import refused, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message

QUESTION = "Who lit the lamp in the tower?"
BEGUN = TurnBegunEvent(asked=QUESTION)
FIRST: Sequence[ChatEvent] = (
    BEGUN,
    ToolInvocationEvent(tool_name="search_book", arguments={"query": "the lamp of Verrick the traitor"}),
    ToolResultEvent(query="lamp", result_count=1, results=[a_passage(page=7)]),
    DraftMadeEvent(),
)
SECOND: Sequence[ChatEvent] = (
    ToolInvocationEvent(tool_name="search_book", arguments={"query": "tower"}),
    ToolResultEvent(query="tower", result_count=1, results=[a_passage(page=9)]),
    DraftMadeEvent(),
)
TITLES = ["Searching the pages read so far", "Searching for “lamp”", "Reading p. 7", "Checking what I wrote"]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surface, "PLAN_AFTER_S", 0.05)


def _plans(server: SlackServer, asked: Message) -> list[Message]:
    return [one for one in server.replies_to(asked) if one.steps]


def _titles(message: Message) -> list[str]:
    return [step["title"] for step in message.steps.values()]


async def _plan(server: SlackServer, asked: Message) -> Message:
    return await server.wait_for(lambda: next(iter(_plans(server, asked)), None))


@pytest.mark.parametrize("after", [(), SECOND], ids=["the draft stood", "a second draft"])
async def test_the_steps_are_shown_and_then_the_answer(
    slack_server: SlackServer, club: Club, settling: Running, after: Sequence[ChatEvent]
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=[QUESTION])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, QUESTION)
        plan = await _plan(slack_server, asked)
        assert answers.sink is not None
        for event in FIRST:
            answers.sink(event)
        await slack_server.wait_for(lambda: _titles(plan) == TITLES)
        for event in after:
            answers.sink(event)
        assert slack_server.platform.sessions[club.channel.id, asked.ts] == ["processing"]
        assert "answer" not in plan.content
        answers.release(QUESTION)
        await slack_server.wait_for(lambda: not plan.is_streaming)
        assert _titles(plan) == TITLES
        assert {step["status"] for step in plan.steps.values()} == {"complete"}
        assert "The whole answer." in plan.content
        assert [block["type"] for block in plan.blocks][:3] == ["plan", "markdown", "context"]
        assert plan.metadata is not None
        assert slack_server.platform.sessions[club.channel.id, asked.ts] == ["processing", "active"]
    assert slack_server.replies_to(asked) == [plan]
    assert not slack_server.platform.complaints


@pytest.mark.parametrize("error", ["unknown_method", "missing_scope", "channel_type_not_supported"])
async def test_where_there_are_no_plans_the_answer_comes_as_before(
    slack_server: SlackServer, club: Club, settling: Running, error: str
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=[QUESTION])
    async with settling(answers):
        slack_server.fail_next("chat.startStream", refused(error))
        asked = slack_server.mention(club.channel, club.ada, QUESTION)
        await slack_server.wait_for(lambda: slack_server.calls_of("chat.startStream"))
        await slack_server.wait_for(lambda: slack_server.status_of(asked))
        answers.release(QUESTION)
        answer = await slack_server.answer_to(asked)
        assert "The whole answer." in answer.content
        assert not answer.steps


async def test_a_plan_that_slack_has_ended_gives_way_to_the_answer(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=[QUESTION])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, QUESTION)
        plan = await _plan(slack_server, asked)
        plan.is_streaming = False  # after five minutes
        answers.release(QUESTION)
        await slack_server.wait_for(lambda: plan.ts not in club.channel.messages)
        (answer,) = slack_server.replies_to(asked)
        assert "The whole answer." in answer.content
        assert slack_server.platform.sessions[club.channel.id, asked.ts][-1] == "active"


async def test_the_end_of_a_plan_that_got_lost_leaves_one_answer(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=[QUESTION])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, QUESTION)
        plan = await _plan(slack_server, asked)
        slack_server.fail_next("chat.stopStream", reset(accepted=True))
        answers.release(QUESTION)
        await slack_server.wait_for(lambda: not plan.is_streaming)
    assert slack_server.replies_to(asked) == [plan]
    assert "The whole answer." in plan.content


async def test_an_answer_that_only_waits_for_its_turn_gets_no_plan(
    slack_server: SlackServer, club: Club, settling: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surface, "PLAN_AFTER_S", 0.5)
    async with settling(ScriptedAnswers("The whole answer."), pause=1.0):
        for number in range(3):
            slack_server.mention(club.channel, club.ada, f"Who {number}?")
        await slack_server.wait_for(lambda: len(slack_server.calls_of("chat.postMessage")) == 3)
    assert not slack_server.calls_of("chat.startStream")


async def test_an_answer_that_is_refused_leaves_no_plan(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=[QUESTION])
    async with settling(answers):
        asked = slack_server.mention(club.channel, club.ada, QUESTION)
        plan = await _plan(slack_server, asked)
        for method in ("chat.stopStream", "chat.postMessage"):
            slack_server.fail_next(method, refused("restricted_action"))
        answers.release(QUESTION)
        await slack_server.wait_for(lambda: plan.ts not in club.channel.messages)
    assert not slack_server.replies_to(asked)
