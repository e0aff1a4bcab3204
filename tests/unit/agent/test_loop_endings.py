"""How a run ends when the model does not simply answer: limits, lengths, refusals, faults."""

import pytest

from core.agent.loop import DEFAULT_MAX_ITERATIONS, AgentRun
from core.answering.tools.search_book import search_tool
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import CUT_SHORT
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, StopReason
from tests.builders import a_passage, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch


async def _answered(
    run: AgentRun, options: GenerationOptions | None = None, *, max_iterations: int = DEFAULT_MAX_ITERATIONS
) -> TurnOutcome:
    tools = [search_tool(run.search_fn)]
    return await run.until_answered(tools, options, max_iterations=max_iterations)


def _run(provider: ScriptedChatProvider, search: CannedSearch | None = None) -> AgentRun:
    question = PromptMessage(role="user", content="Who?")
    return AgentRun(provider=provider, prompt=[question], search_fn=search or CannedSearch(a_passage()))


@pytest.mark.parametrize("limit", [1, 3])
async def test_ca_2_the_iteration_limit_prevents_an_infinite_loop(scripted: Scripted, limit: int) -> None:
    provider, search = scripted(*[wants()] * (limit + 1)), CannedSearch(a_passage())
    with pytest.raises(LLMError) as caught:
        await _answered(_run(provider, search), max_iterations=limit)
    assert caught.value.code is LLMErrorCode.ITERATION_LIMIT
    assert len(search.asked) == limit


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Ada carries it. Tobias keeps the", "Ada carries it."),
        ("Ada carries it! Does she know? She mig", "Ada carries it! Does she know?"),
        ("“I have it.” She said", "“I have it.”"),
        ("Ada carries it (p. 1). Tobias", "Ada carries it (p. 1)."),
        ("One.\n\nTwo is cut he", "One."),
        ("It was whole after all.", "It was whole after all."),
    ],
)
async def test_length_cuts_to_the_last_whole_sentence_and_says_so(scripted: Scripted, said: str, kept: str) -> None:
    outcome = await _answered(_run(scripted(says(said, stop_reason=StopReason.LENGTH))))
    assert outcome.text == f"{kept}\n\n{CUT_SHORT}"


@pytest.mark.parametrize(
    "response", [says("I can't help.", stop_reason=StopReason.REFUSAL), wants(stop_reason=StopReason.REFUSAL)]
)
async def test_a_refusal_is_an_error_whatever_came_with_it(scripted: Scripted, response: ChatResponse) -> None:
    search = CannedSearch()
    with pytest.raises(LLMError) as caught:
        await _answered(_run(scripted(response), search))
    assert caught.value.code is LLMErrorCode.REFUSED
    assert search.asked == []


async def test_tool_use_cut_off_by_length_never_runs(scripted: Scripted) -> None:
    search = CannedSearch(a_passage())
    with pytest.raises(LLMError) as caught:
        await _answered(_run(scripted(wants(stop_reason=StopReason.LENGTH)), search))
    assert caught.value.code is LLMErrorCode.BAD_RESPONSE
    assert search.asked == []
