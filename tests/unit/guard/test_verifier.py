"""The verifier sees an answer, its question and read passages, nothing else; whatever is not clearly a yes is a no."""

import time
from pathlib import Path

import pytest

from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline, TokenUsage
from core.domain.verdict import Verdict
from core.guard.verifier import Verified, Verifier, read_verdicts
from tests.builders import STORY, says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted

_PROMPTS = Path(__file__).parents[3] / "prompts"
_DEADLINE = Deadline(seconds=5, retries=0)
_ONE = ["Ada did."]


def _verifier(provider: ScriptedChatProvider) -> Verifier:
    return Verifier(provider=provider, prompts_dir=_PROMPTS)


async def test_it_is_shown_the_question_the_answer_and_read_pages_and_nothing_else(scripted: Scripted) -> None:
    provider = scripted(says("1 SUPPORTED p1\n3 OPINION p4 <2", usage=TokenUsage(input_tokens=50, output_tokens=4)))
    events: list[ChatEvent] = []
    verified = await _verifier(provider).verify(
        ["Ada did (p. 1).", None, "He  was right."],
        {1: STORY[0], 4: "So."},
        question="Ben: who\ndid?",
        deadline=_DEADLINE,
        on_event=events.append,
    )
    verdicts, calls = verified
    assert (verdicts[0], verdicts[2], calls) == (
        Verified(verdict=Verdict.SUPPORTED), Verified(verdict=Verdict.OPINION, leans_on=frozenset({1})), 1,
    )  # fmt: skip
    assert events == [TokenUsageEvent(input_tokens=50, output_tokens=4, model="scripted-1")]
    (asked,) = provider.asked
    assert asked.tools is None
    system, material = asked.messages
    assert (system.role, material.role) == ("system", "user")
    assert material.content == (
        f"Passages:\n\n[p. 1]\n{STORY[0]}\n\n[p. 4]\nSo.\n\nQuestion:\n\nBen: who did?\n\n"
        "Sentences:\n\n1. Ada did (p. 1).\n2. [removed]\n3. He was right."
    )
    assert asked.options is not None
    assert asked.options.deadline is _DEADLINE


async def test_an_answer_in_which_verdicts_are_missing_is_taken_as_it_is(scripted: Scripted) -> None:
    verdicts, calls = await _verifier(scripted(says("2 TALK"))).verify(["Ada did.", "So."], {}, deadline=_DEADLINE)
    assert ([each.verdict for each in verdicts], calls) == ([Verdict.NOT, Verdict.TALK], 1)


async def test_what_fails_twice_is_an_error_and_both_calls_are_paid_for(scripted: Scripted) -> None:
    error = LLMError(LLMErrorCode.TIMEOUT, "late")
    error.usage = TokenUsage(input_tokens=7)
    events: list[ChatEvent] = []
    provider = scripted(error, says("All of it is fine.", usage=TokenUsage(input_tokens=8)))
    with pytest.raises(LLMError, match="no verdict can be read"):
        await _verifier(provider).verify(_ONE, {}, deadline=_DEADLINE, on_event=events.append)
    assert [event.input_tokens for event in events if isinstance(event, TokenUsageEvent)] == [7, 8]


@pytest.mark.parametrize(
    "answer",
    [
        "a" + "\n" * 200_000,
        "[" * 5_000 + "]" * 5_000,
        "9" * 5_000 + " SUPPORTED",
        "1 * " * 9_000,
    ],
    ids=["empty lines", "brackets", "a huge number", "marks"],
)
def test_whatever_it_says_is_read_at_once(answer: str) -> None:
    began = time.process_time()
    assert read_verdicts(answer, 3, {1}) is None
    assert time.process_time() - began < 1
