"""The verifier sees an answer, its question and read passages, nothing else; whatever is not clearly a yes is a no."""

from pathlib import Path

import pytest

from core.agent.verifier import SCHEMA, ToVerify, Verifier
from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline, StopReason, TokenUsage
from core.domain.verdict import Verdict
from tests.builders import STORY, says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted

_PROMPTS = Path(__file__).parents[3] / "prompts"
_DEADLINE = Deadline(seconds=5, retries=0)
_ONE = ToVerify(sentences=["Ada did."], pages={})


def _verifier(provider: ScriptedChatProvider) -> Verifier:
    return Verifier(provider=provider, prompts_dir=_PROMPTS)


async def test_it_is_shown_the_question_the_answer_and_read_pages_and_nothing_else(scripted: Scripted) -> None:
    provider = scripted(says("1 SUPPORTED\n2 NOT", usage=TokenUsage(input_tokens=50, output_tokens=4)))
    events: list[ChatEvent] = []
    shown = ToVerify(
        sentences=["Ada did (p. 1).", "He  dies."], pages={1: STORY[0], 4: "So."}, question="Ben: who\ndid?"
    )
    verified = await _verifier(provider).verify(shown, deadline=_DEADLINE, on_event=events.append)
    assert verified == (Verdict.SUPPORTED, Verdict.NOT)
    assert events == [TokenUsageEvent(input_tokens=50, output_tokens=4, model="scripted-1")]
    (asked,) = provider.asked
    assert asked.tools is None
    system, material = asked.messages
    assert (system.role, material.role) == ("system", "user")
    assert material.content == (
        f"Passages:\n\n[p. 1]\n{STORY[0]}\n\n[p. 4]\nSo.\n\nQuestion:\n\nBen: who did?\n\n"
        "Sentences:\n\n1. Ada did (p. 1).\n2. He dies."
    )
    assert asked.options is not None
    assert asked.options.deadline is _DEADLINE
    assert asked.options.answer_schema == SCHEMA


async def test_without_sentences_nobody_is_asked(scripted: Scripted) -> None:
    assert await _verifier(scripted()).verify(ToVerify(sentences=[], pages={1: STORY[0]}), deadline=_DEADLINE) == ()


@pytest.mark.parametrize("reason", [StopReason.LENGTH, StopReason.REFUSAL, StopReason.OTHER], ids=str)
async def test_an_answer_that_did_not_end_by_itself_supports_nothing(scripted: Scripted, reason: StopReason) -> None:
    provider = scripted(says("1 SUPPORTED", stop_reason=reason))
    assert (await _verifier(provider).verify(_ONE, deadline=_DEADLINE)) == (Verdict.NOT,)


async def test_a_call_that_fails_supports_nothing_and_is_paid_for(scripted: Scripted) -> None:
    error = LLMError(LLMErrorCode.TIMEOUT, "late")
    error.usage = TokenUsage(input_tokens=7)
    events: list[ChatEvent] = []
    two = ToVerify(sentences=["Ada did.", "So."], pages={})
    told = await _verifier(scripted(error)).verify(two, deadline=_DEADLINE, on_event=events.append)
    assert told == (Verdict.NOT, Verdict.NOT)
    assert events == [TokenUsageEvent(input_tokens=7, output_tokens=0, model="scripted-1")]
