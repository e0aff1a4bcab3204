"""Off-topic talk gets a short reply; in between a judge is asked beside the answer, and the answer waits for it."""

import asyncio
import gc
from dataclasses import replace

import pytest

from adapters.persistence.tables import TurnRow
from core.answering import scope_guardrail
from core.answering.scope_guardrail import ScopeJudge, ScopeVerdict
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import off_topic
from core.domain.question import Question
from core.domain.tool_use import Deadline, TokenUsage
from core.domain.understanding import Intent, Understanding
from core.understanding.asked import understood as understood_as_it_is
from tests.builders import a_book_text, says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import HeldRetrievalStrategy
from tests.unit.world import PROMPTS, World

GREY = "Is climate change real?"
OFF = "How do I cook rice?"
IN = "What is chapter two about?"
_TITLE = a_book_text().title
_JUDGED = TokenUsage(input_tokens=50, output_tokens=5)
_ANSWERED = TokenUsage(input_tokens=100, output_tokens=10)


class LateJudge(ScopeJudge):
    """Says nothing before it is let go."""

    def __init__(self, provider: ScriptedChatProvider) -> None:
        super().__init__(provider=provider, prompts_dir=PROMPTS)
        self.may_speak = asyncio.Event()

    async def judge(
        self, message: str, *, book: Book, deadline: Deadline | None = None, on_event: EventSink | None = None
    ) -> ScopeVerdict:
        await self.may_speak.wait()
        return await super().judge(message, book=book, deadline=deadline, on_event=on_event)


async def _answer(
    world: World, answers: ScriptedChatProvider, text: str, judge: ScopeJudge | None = None
) -> TurnOutcome:
    conversation = await world.reading(position=2)
    return await world.chat(answers, judge=judge).run(conversation.conversation_id, text, position=2)


def _judge(scripted: Scripted, answer: str | LLMError) -> ScopeJudge:
    said = answer if isinstance(answer, LLMError) else says(answer, usage=_JUDGED)
    return ScopeJudge(provider=scripted(said), prompts_dir=PROMPTS)


@pytest.fixture(autouse=True)
def grey_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make one message as likely off-topic as not, whatever the model that ships makes of it."""
    own = understood_as_it_is

    def understood(question: Question) -> Understanding:
        meaning = own(question)
        return replace(meaning, intent=Intent.FACT, off_topic=0.5) if question.text == GREY else meaning

    monkeypatch.setattr(scope_guardrail, "understood", understood)


@pytest.mark.parametrize("message", [IN, "Hello!", GREY])
async def test_without_a_judge_only_what_is_off_topic_for_certain_is_turned_away(
    world: World, scripted: Scripted, message: str
) -> None:
    outcome = await _answer(world, scripted(says("Ada carried the brass compass (p. 1).")), message)
    assert outcome.text == "Ada carried the brass compass (p. 1)."
    assert outcome.guardrail_score is not None
    assert outcome.guardrail_reasoning


async def test_off_topic_gets_a_short_reply_and_no_model_is_asked(world: World, scripted: Scripted) -> None:
    outcome = await _answer(world, scripted(), OFF, _judge_that_is_not_asked(scripted))
    assert (outcome.text, outcome.usage, outcome.quotes_only) == (off_topic(_TITLE), TokenUsage(), True)
    assert outcome.guardrail_score is not None
    assert outcome.guardrail_score < 35


async def test_a_judge_is_not_asked_that_is_plainly_in_scope(world: World, scripted: Scripted) -> None:
    judge = _judge_that_is_not_asked(scripted)
    outcome = await _answer(world, scripted(says("Ada carried the brass compass (p. 1).")), IN, judge)
    assert outcome.text.startswith("Ada")


def _judge_that_is_not_asked(scripted: Scripted) -> ScopeJudge:
    return ScopeJudge(provider=scripted(), prompts_dir=PROMPTS)


async def test_a_judge_that_says_in_scope_lets_the_answer_out(world: World, scripted: Scripted) -> None:
    answers = scripted(says("Ada carried the brass compass (p. 1).", usage=_ANSWERED))
    outcome = await _answer(world, answers, GREY, _judge(scripted, "90 their talk"))
    assert (outcome.text[:3], outcome.guardrail_score, outcome.guardrail_reasoning) == ("Ada", 90, "their talk")
    assert (outcome.usage, outcome.iterations) == (_JUDGED + _ANSWERED, 3)


async def test_a_judge_that_fails_turns_nobody_away(world: World, scripted: Scripted) -> None:
    answers = scripted(says("Ada carried the brass compass (p. 1)."))
    outcome = await _answer(world, answers, GREY, _judge(scripted, LLMError(LLMErrorCode.OVERLOADED, "busy")))
    assert outcome.text.startswith("Ada")


async def test_a_judge_that_says_off_topic_ends_the_answer_under_way(world: World, scripted: Scripted) -> None:
    conversation, held = await world.reading(position=2), HeldRetrievalStrategy()
    chat = world.chat(ScriptedChatProvider(), strategy=held, judge=_judge(scripted, "5 general knowledge"))
    outcome = await chat.run(conversation.conversation_id, GREY, position=2)
    assert (outcome.text, outcome.guardrail_score) == (off_topic(_TITLE), 5)
    assert held.ended == []


async def test_an_answer_that_nobody_sees_was_paid_for(world: World, scripted: Scripted) -> None:
    answers = scripted(says("Ada carried the brass compass (p. 1).", usage=_ANSWERED))
    judge = LateJudge(scripted(says("5 general knowledge", usage=_JUDGED)))
    conversation = await world.reading(position=2)
    turn = asyncio.create_task(world.chat(answers, judge=judge).run(conversation.conversation_id, GREY, position=2))
    await answers.was_asked()
    judge.may_speak.set()
    outcome = await turn
    assert (outcome.text, outcome.usage) == (off_topic(_TITLE), _JUDGED + _ANSWERED)


async def test_of_an_answer_that_failed_unseen_nothing_is_said_later(
    world: World, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    error = LLMError(LLMErrorCode.OVERLOADED, "busy")
    error.usage = _ANSWERED
    answers, judge = scripted(error), LateJudge(scripted(says("5 general knowledge", usage=_JUDGED)))
    conversation = await world.reading(position=2)
    turn = asyncio.create_task(world.chat(answers, judge=judge).run(conversation.conversation_id, GREY, position=2))
    await answers.was_asked()
    judge.may_speak.set()
    assert (await turn).usage == _JUDGED + _ANSWERED
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_a_failed_answer_takes_the_judges_tokens_along(world: World, scripted: Scripted) -> None:
    error = LLMError(LLMErrorCode.OVERLOADED, "busy")
    error.usage = _ANSWERED
    with pytest.raises(LLMError):
        await _answer(world, scripted(error), GREY, _judge(scripted, "90 their talk"))
    [turn] = await world.rows(TurnRow)
    used = _JUDGED + _ANSWERED
    assert (turn.input_tokens, turn.output_tokens) == (used.input_tokens, used.output_tokens)
    assert (turn.guardrail_score, turn.guardrail_reasoning) == (90, "their talk")


async def test_a_turn_that_is_cancelled_cancels_the_answer(world: World, scripted: Scripted) -> None:
    conversation, held = await world.reading(position=2), HeldRetrievalStrategy()
    chat = world.chat(ScriptedChatProvider(), strategy=held, judge=_judge(scripted, "90 in"))
    turn = asyncio.create_task(chat.run(conversation.conversation_id, GREY, position=2))
    await held.until_began(GREY)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert held.ended == []
