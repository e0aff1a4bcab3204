"""Off-topic talk gets a short reply; in between a judge is asked beside the answer, and the answer waits for it."""

import asyncio

import pytest

from core.agent.scope_guardrail import Asked, ScopeGuardrail
from core.agent.scope_judge import ScopeJudge
from core.domain.book import Book
from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, TokenUsage
from core.domain.words import off_topic
from tests.builders import a_book_text, a_passage, chunks_of, says
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch
from tests.unit.app.world import PROMPTS

GREY = "Is climate change real?"
OFF = "How do I cook rice?"
IN = "What is chapter two about?"
_SPENT = TokenUsage(input_tokens=100, output_tokens=10)


class _Answer:
    """An answer that takes until it is let go, where it is held."""

    def __init__(self, *, held: bool = False) -> None:
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.was_cancelled = False
        if not held:
            self.go_on.set()

    async def __call__(self) -> TurnOutcome:
        self.begun.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        return TurnOutcome(text="An answer.", usage=_SPENT, iterations=1)


@pytest.fixture
async def book() -> Book:
    text = a_book_text()
    added, _ = await InMemoryBookRepository().add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    return added


def _asked(message: str, book: Book, events: list[ChatEvent] | None = None, *, before: str = "") -> Asked:
    return Asked(
        message=message,
        before=before,
        book=book,
        search=CannedSearch(a_passage()),
        on_event=None if events is None else events.append,
    )


@pytest.mark.parametrize("message", [IN, "Hello!", GREY])
async def test_without_a_judge_only_what_is_off_topic_for_certain_is_turned_away(message: str, book: Book) -> None:
    outcome = await ScopeGuardrail().around(_asked(message, book), _Answer())
    assert outcome.text == "An answer."
    assert outcome.guardrail_score is not None


async def test_off_topic_gets_a_short_reply_and_no_answer_is_made(book: Book) -> None:
    answer = _Answer()
    outcome = await ScopeGuardrail().around(_asked(OFF, book), answer)
    assert (outcome.text, outcome.usage) == (off_topic(book.title), TokenUsage())
    assert outcome.guardrail_score is not None
    assert outcome.guardrail_score < 35
    assert not answer.begun.is_set()


def _guardrail(scripted: Scripted, answer: ChatResponse | LLMError) -> ScopeGuardrail:
    return ScopeGuardrail(judge=ScopeJudge(provider=scripted(answer), prompts_dir=PROMPTS))


async def test_a_judge_that_says_in_scope_lets_the_answer_out(scripted: Scripted, book: Book) -> None:
    events: list[ChatEvent] = []
    guardrail = _guardrail(scripted, says("90 their talk", usage=TokenUsage(input_tokens=50, output_tokens=5)))
    outcome = await guardrail.around(_asked(GREY, book, events), _Answer())
    assert (outcome.text, outcome.guardrail_score, outcome.iterations) == ("An answer.", 90, 2)
    assert outcome.usage == TokenUsage(input_tokens=150, output_tokens=15)
    assert events == [TokenUsageEvent(input_tokens=50, output_tokens=5)]


async def test_a_judge_that_says_off_topic_ends_the_answer_under_way(scripted: Scripted, book: Book) -> None:
    answer = _Answer(held=True)
    outcome = await _guardrail(scripted, says("5 general knowledge")).around(_asked(GREY, book), answer)
    assert (outcome.text, outcome.guardrail_score, outcome.iterations) == (off_topic(book.title), 5, 1)
    assert (outcome.provider, outcome.model) == ("scripted", "scripted-1")


async def test_a_judge_that_fails_turns_nobody_away(scripted: Scripted, book: Book) -> None:
    guardrail = _guardrail(scripted, LLMError(LLMErrorCode.OVERLOADED, "busy"))
    assert (await guardrail.around(_asked(GREY, book), _Answer())).text == "An answer."


async def test_a_judge_is_not_asked_where_the_rules_are_sure(scripted: Scripted, book: Book) -> None:
    guardrail = ScopeGuardrail(judge=ScopeJudge(provider=scripted(), prompts_dir=PROMPTS))
    assert (await guardrail.around(_asked(IN, book), _Answer())).text == "An answer."
    assert (await guardrail.around(_asked(OFF, book), _Answer())).text == off_topic(book.title)


async def test_a_question_that_goes_on_is_looked_up_with_the_one_before(book: Book) -> None:
    search = CannedSearch(a_passage())
    asked = Asked(message="And the weather?", before="Where is the ferry?", book=book, search=search)
    await ScopeGuardrail().around(asked, _Answer())
    assert search.asked == [("And the weather? Where is the ferry?", 5)]


async def test_a_turn_that_is_cancelled_cancels_the_answer(scripted: Scripted, book: Book) -> None:
    answer = _Answer(held=True)
    turn = asyncio.create_task(_guardrail(scripted, says("90 in")).around(_asked(GREY, book), answer))
    await answer.begun.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert answer.was_cancelled
