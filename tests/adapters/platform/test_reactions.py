"""Reactions show only the latest step of a turn on the asker's message, and delay nothing."""

import pytest

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


_LEFT: tuple[tuple[list[ChatEvent], list[str]], ...] = (
    ([SEARCH, FOUND, TurnAnsweredEvent()], ["found"]),
    ([SEARCH, NOTHING, SEARCH, FOUND, USAGE, TurnAnsweredEvent()], ["found"]),
    ([SEARCH, FOUND, SEARCH, NOTHING, USAGE, TurnAnsweredEvent()], ["found_nothing"]),
    ([SEARCH, FOUND, FAILED], ["failed"]),
    ([USAGE, TurnAnsweredEvent()], []),
    ([], []),
)


async def test_after_the_answer_only_the_last_tool_event_stays(stage: Stage) -> None:
    answers = ScriptedAnswers()
    async with stage.running(answers) as bot:
        for events, left in _LEFT:
            answers.events = events
            before = stage.count("react") - stage.count("unreact")
            asked = stage.ask("Who?")
            await stage.answer_to(asked)
            await bot.settled()
            await _shown(stage, asked, *left)
            assert stage.count("react") - stage.count("unreact") - before == len(left)
    assert stage.count("react") <= sum(len(events) for events, _ in _LEFT)


_LATEST: tuple[tuple[list[ChatEvent], str], ...] = (
    ([SEARCH], "searching"),
    ([SEARCH, FOUND], "found"),
    ([USAGE, TurnAnsweredEvent()], "answered"),
)


async def test_only_the_latest_state_is_shown(stage: Stage) -> None:
    answers = ScriptedAnswers()
    async with stage.running(answers):
        for events, shown in _LATEST:
            answers.events = events
            answers.hold("Who?")
            asked = stage.ask("Who?")
            await _shown(stage, asked, shown)
            answers.release("Who?")
            await stage.answer_to(asked)
            await _shown(stage, asked, *([shown] if shown == "found" else []))


async def test_a_quick_answer_takes_one_reaction_call(stage: Stage) -> None:
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with stage.running(answers) as bot:
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        await bot.settled()
        await _shown(stage, asked, "found")
    # The search is left out if there was no time to see it.
    assert (stage.count("react"), stage.count("unreact")) in {(1, 0), (2, 1)}


async def test_a_turn_without_a_result_leaves_no_reaction(stage: Stage) -> None:
    thread = stage.thread()
    async with stage.running(ScriptedAnswers("", events=[SEARCH, NOTHING])) as bot:
        said = stage.say(thread, "Well.", mention=True)
        await stage.wait_for(lambda: stage.count("react"))
        await bot.settled()
        await _shown(stage, said)
    assert stage.answers_to(said) == []


async def test_a_reaction_that_hangs_delays_no_answer(stage: Stage) -> None:
    hanging = stage.fail("react", stage.faults.held())
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with stage.running(answers):
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        assert asked.reactions == {}
        hanging.release()
        await _shown(stage, asked, "found")


async def test_a_missing_right_is_logged_once_and_not_tried_again(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.forbid_reactions()
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    thread = stage.thread()
    async with stage.running(answers):
        for _ in range(3):
            await stage.answer_to(stage.say(thread, "Who?"))
    assert len([one for one in caplog.records if "No reactions in channel" in one.getMessage()]) == 1
    assert stage.count("react") == 1


async def test_a_question_that_waits_its_turn_shows_it(stage: Stage) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["First?"])
    thread = stage.thread()
    async with stage.running(answers) as bot:
        first = stage.say(thread, "First?")
        await answers.was_asked()
        second = stage.say(thread, "Second?", by=stage.club.ben)
        await _shown(stage, second, "waiting")
        assert answers.texts == ["First?"]
        answers.release("First?")
        await stage.answer_to(second)
        await bot.settled()
        await _shown(stage, second)
    assert first.reactions == {}
    assert answers.answered == ["First?", "Second?"]


async def test_a_turn_of_the_real_application_shows_its_result(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        found = stage.ask("Who lit the lamp?")
        await stage.answer_to(found)
        unread = stage.ask("What of the whistle?")
        answer = await stage.answer_to(unread)
        await bot.settled()
        await _shown(stage, found, "found")
        await _shown(stage, unread, "found_nothing")
    assert answer.content.startswith("I don't find that")
