"""The verifier sees sentences and read passages, nothing else; whatever is not clearly a yes is a no."""

from pathlib import Path

import pytest

from core.agent.verifier import Support, Verifier, parse
from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.deadline import Deadline
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import StopReason, TokenUsage
from tests.builders import STORY, a_passage, says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted

_PROMPTS = Path(__file__).parents[3] / "prompts"
_YES, _NOTHING, _NO = Support.SUPPORTED, Support.NOTHING, Support.NOT
_DEADLINE = Deadline(seconds=5, retries=0)


def _verifier(provider: ScriptedChatProvider) -> Verifier:
    return Verifier(provider=provider, prompts_dir=_PROMPTS)


@pytest.mark.parametrize(
    ("answer", "support"),
    [
        ("1 SUPPORTED\n2 NOT", [_YES, _NO]),
        ("1. SUPPORTED page 1 says so\n2: NOTHING a greeting\n", [_YES, _NOTHING]),
        ("2 SUPPORTED\n\n1 NOT", [_NO, _YES]),
        ("1 SUPPORTED", [_YES, _NO]),
        ("1 SUPPORTED\n1 NOT\n2 SUPPORTED", [_NO, _YES]),
        ("1 supported\n2 supported", [_NO, _NO]),
        ("1 NOT SUPPORTED\n2 SUPPORTED", [_NO, _YES]),
        ("Here you are:\n1 SUPPORTED\n2 SUPPORTED", [_NO, _NO]),
        ("1 SUPPORTED\n2 SUPPORTED\n3 SUPPORTED", [_NO, _NO]),
        ("The first is SUPPORTED", [_NO, _NO]),
        ("", [_NO, _NO]),
    ],
)
def test_an_answer_is_read_strictly(answer: str, support: list[Support]) -> None:
    assert parse(answer, 2) == support


async def test_it_is_shown_the_sentences_and_read_passages_and_nothing_else(scripted: Scripted) -> None:
    provider = scripted(says("1 SUPPORTED\n2 NOT", usage=TokenUsage(input_tokens=50, output_tokens=4)))
    events: list[ChatEvent] = []
    verified = await _verifier(provider).verify(
        ["Ada did.", "He dies."], [a_passage(STORY[0])], deadline=_DEADLINE, on_event=events.append
    )
    assert verified == (_YES, _NO)
    assert events == [TokenUsageEvent(input_tokens=50, output_tokens=4, model="scripted-1")]
    (asked,) = provider.asked
    assert asked.tools is None
    system, material = asked.messages
    assert (system.role, material.role) == ("system", "user")
    assert material.content == f"Passages:\n\n[p. 1]\n{STORY[0]}\n\nSentences:\n\n1. Ada did.\n2. He dies."
    assert asked.options is not None
    assert asked.options.deadline is _DEADLINE


async def test_without_sentences_nobody_is_asked(scripted: Scripted) -> None:
    assert await _verifier(scripted()).verify([], [a_passage()], deadline=_DEADLINE) == ()


@pytest.mark.parametrize("reason", [StopReason.LENGTH, StopReason.REFUSAL, StopReason.OTHER], ids=str)
async def test_an_answer_that_did_not_end_by_itself_supports_nothing(scripted: Scripted, reason: StopReason) -> None:
    provider = scripted(says("1 SUPPORTED", stop_reason=reason))
    assert (await _verifier(provider).verify(["Ada did."], [], deadline=_DEADLINE)) == (_NO,)


async def test_a_call_that_fails_supports_nothing_and_is_paid_for(scripted: Scripted) -> None:
    error = LLMError(LLMErrorCode.TIMEOUT, "late")
    error.usage = TokenUsage(input_tokens=7)
    events: list[ChatEvent] = []
    verifier = _verifier(scripted(error))
    assert await verifier.verify(["Ada did.", "So."], [], deadline=_DEADLINE, on_event=events.append) == (_NO, _NO)
    assert events == [TokenUsageEvent(input_tokens=7, output_tokens=0, model="scripted-1")]


async def test_of_many_passages_it_is_shown_so_many(scripted: Scripted) -> None:
    provider = scripted(says("1 NOT"))
    passages = [a_passage(f"Passage {number}.", chunk_id=number, page=number) for number in range(1, 60)]
    await _verifier(provider).verify(["Ada did."], passages, deadline=_DEADLINE)
    assert provider.asked[0].messages[1].content.count("[p. ") == 16
