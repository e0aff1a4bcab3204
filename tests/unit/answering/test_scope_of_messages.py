"""Off-topic talk gets a short reply; in between a judge is asked beside the answer, and the answer waits for it."""

from dataclasses import replace

import pytest

from core.answering import scope_guardrail
from core.answering.scope_guardrail import ScopeJudge
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import off_topic
from core.domain.question import Question
from core.domain.tool_use import TokenUsage
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
