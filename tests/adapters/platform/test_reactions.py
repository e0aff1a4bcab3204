"""What happens inside a turn is shown on the asker's message: in order, never in the way of the answer."""

import pytest

from adapters.platform.services import PlatformServices
from core.domain.chat_event import (
    ChatEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.errors import LLMErrorCode
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])
USAGE = TokenUsageEvent(input_tokens=1, output_tokens=1)
FAILED = TurnFailedEvent(code=LLMErrorCode.TIMEOUT)


async def _shown(stage: Stage, message: Message, *names: str) -> None:
    """Wait until a message has just these reactions, in this order."""
    expected = [getattr(stage.emoji, name) for name in names]
    await stage.wait_for(lambda: list(message.reactions) == expected)


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([SEARCH, FOUND, TurnAnsweredEvent()], ["searching", "found", "answered"]),
        ([SEARCH, NOTHING, SEARCH, FOUND, USAGE, TurnAnsweredEvent()],
         ["searching", "found_nothing", "found", "answered"]),
        ([USAGE, FAILED], ["failed"]),
        ([], []),
    ],
)  # fmt: skip
async def test_each_event_is_one_reaction_in_their_order(
    stage: Stage, services: PlatformServices, events: list[ChatEvent], shown: list[str]
) -> None:
    async with stage.running(ScriptedAnswers(events=events).instead_of(services)):
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        await _shown(stage, asked, *shown)
    assert stage.count("react") == len(shown)


async def test_a_reaction_that_hangs_delays_no_answer(stage: Stage, services: PlatformServices) -> None:
    hanging = stage.fail("react", stage.faults.held())
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with stage.running(answers.instead_of(services)):
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        assert asked.reactions == {}
        hanging.release()
        await stage.wait_for(lambda: stage.emoji.answered in asked.reactions)


async def test_a_missing_right_is_logged_once_and_asked_for_no_more(
    stage: Stage, services: PlatformServices, caplog: pytest.LogCaptureFixture
) -> None:
    stage.forbid_reactions()
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    thread = stage.thread()
    async with stage.running(answers.instead_of(services)):
        for _ in range(3):
            await stage.answer_to(stage.say(thread, "Who?"))
    assert len([one for one in caplog.records if "No reactions in channel" in one.getMessage()]) == 1
    assert stage.count("react") == 1


async def test_a_question_that_waits_its_turn_shows_it(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["First?"])
    thread = stage.thread()
    async with stage.running(answers.instead_of(services)) as bot:
        first = stage.say(thread, "First?")
        await answers.was_asked()
        second = stage.say(thread, "Second?", by=stage.club.ben)
        await _shown(stage, second, "waiting")
        assert [message.text for message in answers.asked] == ["First?"]
        answers.release("First?")
        await stage.answer_to(second)
        await bot.settled()
        await _shown(stage, second, "searching")
    assert list(first.reactions) == [stage.emoji.searching]
    assert answers.answered == ["First?", "Second?"]


async def test_a_turn_of_the_real_house_shows_what_it_finds(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running():
        found = stage.ask("Who lit the lamp?")
        await _shown(stage, found, "searching", "found", "answered")
        unread = stage.ask("What of the whistle?")
        await _shown(stage, unread, "searching", "found_nothing", "answered")
        answer = await stage.answer_to(unread)
    assert answer.content.startswith("I can't say anything about that")
