"""What happens inside a turn is shown on the asker's message: its latest state alone, in the way of nothing."""

from typing import cast

import pytest

from adapters.platform.reactions import MessageReactions, Reactions
from adapters.platform.services import CosmeticRateLimit, Emoji, PlatformServices
from adapters.platform.surface import MessageSurface, OutOfReachError
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
from tests.patience import PATIENCE_S

SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})
FOUND = ToolResultEvent(query="lamp", result_count=2, results=[])
NOTHING = ToolResultEvent(query="lamp", result_count=0, results=[])
USAGE = TokenUsageEvent(input_tokens=1, output_tokens=1)
FAILED = TurnFailedEvent(code=LLMErrorCode.TIMEOUT)


_EMOJI = Emoji(
    searching="s", found="f", found_nothing="n", answered="a", failed="x", waiting="w", thanked="t"
)  # fmt: skip


class _Unheard:
    """A message that the connection breaks at whenever a reaction is put, which is put all the same."""

    channel = "general"
    shown: MessageReactions

    def __init__(self) -> None:
        self.stands = set[str]()
        self.called: list[str] = []

    def may_react(self) -> bool:
        return True

    async def react(self, emoji: str) -> None:
        self.called.append("put")
        self.stands.add(emoji)
        self.shown.done()
        raise OutOfReachError("reset")

    async def unreact(self, emoji: str) -> None:
        self.called.append("taken away")
        self.stands.discard(emoji)


async def _shown(stage: Stage, message: Message, *names: str) -> None:
    """Wait until a message has just these reactions, in this order."""
    expected = [getattr(stage.emoji, name) for name in names]
    await stage.wait_for(lambda: list(message.reactions) == expected)


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([SEARCH, FOUND, TurnAnsweredEvent()], ["found"]),
        ([SEARCH, NOTHING, SEARCH, FOUND, USAGE, TurnAnsweredEvent()], ["found"]),
        ([SEARCH, FOUND, SEARCH, NOTHING, USAGE, TurnAnsweredEvent()], ["found_nothing"]),
        ([SEARCH, NOTHING, TurnAnsweredEvent()], ["found_nothing"]),
        ([SEARCH, FOUND, FAILED], ["failed"]),
        ([USAGE, TurnAnsweredEvent()], []),
        ([USAGE, FAILED], ["failed"]),
        ([], []),
    ],
)
async def test_when_the_answer_stands_only_the_last_of_the_tools_events_stays(
    stage: Stage, services: PlatformServices, events: list[ChatEvent], left: list[str]
) -> None:
    async with stage.running(ScriptedAnswers(events=events).instead_of(services)) as bot:
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        await bot.settled()
        await _shown(stage, asked, *left)
    assert stage.count("react") <= len(events)
    assert stage.count("unreact") == stage.count("react") - len(left)


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([SEARCH], "searching"),
        ([SEARCH, FOUND], "found"),
        ([SEARCH, FOUND, TurnAnsweredEvent()], "found"),
        ([USAGE, TurnAnsweredEvent()], "answered"),
    ],
)
async def test_the_latest_state_alone_is_shown(
    stage: Stage, services: PlatformServices, events: list[ChatEvent], shown: str
) -> None:
    answers = ScriptedAnswers(events=events, held=["Who?"])
    async with stage.running(answers.instead_of(services)):
        asked = stage.ask("Who?")
        await _shown(stage, asked, shown)
        answers.release("Who?")
        await stage.answer_to(asked)
        await _shown(stage, asked, *([shown] if shown == "found" else []))


async def test_a_quick_answer_takes_one_call_more_than_none_at_all(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with stage.running(answers.instead_of(services)) as bot:
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        await bot.settled()
        await _shown(stage, asked, "found")
    # The search is left out where it was not to be seen.
    assert (stage.count("react"), stage.count("unreact")) in {(1, 0), (2, 1)}


async def test_of_a_turn_that_came_to_nothing_no_reaction_stays(stage: Stage, services: PlatformServices) -> None:
    thread = stage.thread()
    async with stage.running(ScriptedAnswers("", events=[SEARCH, NOTHING]).instead_of(services)) as bot:
        said = stage.say(thread, "Well.", mention=True)
        await stage.wait_for(lambda: stage.count("react"))
        await bot.settled()
        await _shown(stage, said)
    assert stage.answers_to(said) == []


async def test_what_an_earlier_process_left_is_taken_away(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers(events=[SEARCH], held=["Who?"])
    async with stage.running(answers.instead_of(services)) as bot:
        asked = stage.ask("Who?")
        await _shown(stage, asked, "searching")
        await bot.kill()
    async with stage.running(ScriptedAnswers().instead_of(services)):
        await stage.answer_to(asked)
        await _shown(stage, asked)


async def test_what_was_put_without_the_platforms_word_is_taken_away_when_an_answer_came_meanwhile() -> None:
    message = _Unheard()
    shown = message.shown = Reactions(_EMOJI, CosmeticRateLimit()).on(cast("MessageSurface", message))
    shown.take(SEARCH)
    await shown.settled(within=PATIENCE_S)
    assert message.called == ["put", "taken away"]
    assert message.stands == set()


async def test_a_reaction_that_hangs_delays_no_answer(stage: Stage, services: PlatformServices) -> None:
    hanging = stage.fail("react", stage.faults.held())
    answers = ScriptedAnswers(events=[SEARCH, FOUND, TurnAnsweredEvent()])
    async with stage.running(answers.instead_of(services)):
        asked = stage.ask("Who?")
        await stage.answer_to(asked)
        assert asked.reactions == {}
        hanging.release()
        await _shown(stage, asked, "found")


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
        await _shown(stage, second)
    assert first.reactions == {}
    assert answers.answered == ["First?", "Second?"]


async def test_a_turn_of_the_real_house_shows_what_it_finds(stage: Stage, read_book: ReadBook) -> None:
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
