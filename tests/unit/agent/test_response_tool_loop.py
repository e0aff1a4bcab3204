"""response-generation.md, `Tool Execution Loop`, `Tool Call Tracking` and `Error Handling in Tool Loop`.

The loop itself is `AgentRun`: more of it in `test_loop`, `test_loop_endings` and `tools/test_executor`; arguments that
are no JSON in `tests/adapters/llm/`, `test_openai_answer`, `test_openai_loop` and `test_anthropic_answers`.
"""

import logging
from pathlib import Path

import pytest

from core.agent.response_generator import TOO_MANY_TOOL_CALLS, GeneratedResponse, ResponseGenerator
from core.agent.tool_registry import ToolRegistry
from core.agent.tools.search_book import search_tool
from core.agent.tools.tool import Tool
from core.domain.conversation import ToolCall
from core.domain.tool_use import (
    ChatResponse,
    PromptMessage,
    StopReason,
    TokenUsage,
    ToolChoice,
    ToolInvocation,
)
from tests.builders import a_passage, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch
from tests.unit.agent.response_bench import WITH_TOOLS, a_failing_tool, a_rule, a_tool

_TWO_ROUNDS = "---\ntools:\n  enabled: true\n  max_iterations: 2\n---\nBe kind."


def _looks_up(name: object = "Ada", *, invocation_id: str = "call_1", tool: str = "look_up") -> ToolInvocation:
    return ToolInvocation(tool_name=tool, arguments={"name": name}, invocation_id=invocation_id)


async def _generate(
    provider: ScriptedChatProvider, folder: Path, *tools: Tool, rule: str = WITH_TOOLS, max_iterations: int = 3
) -> GeneratedResponse:
    registry = ToolRegistry(tools or [a_tool()], max_iterations=max_iterations)
    return await ResponseGenerator(provider=provider, tools=registry).generate(a_rule(folder, rule), "Who?")


async def test_scenario_add_tools_to_options(scripted: Scripted, tmp_path: Path) -> None:
    provider, first, second = scripted(wants(_looks_up()), says()), a_tool("look_up"), a_tool("look_on")
    await _generate(provider, tmp_path, first, second)
    assert [asked.tools for asked in provider.asked] == [(first, second)] * 2


@pytest.mark.parametrize(
    ("rule", "default", "rounds"),
    [(_TWO_ROUNDS, 1, 2), (_TWO_ROUNDS, 3, 2), (WITH_TOOLS, 1, 1), (WITH_TOOLS, 3, 3)],
    ids=["the rule's, more", "the rule's, fewer", "the default of one", "the default of three"],
)
async def test_scenario_iteration_limit_enforcement(
    scripted: Scripted, tmp_path: Path, rule: str, default: int, rounds: int
) -> None:
    provider = scripted(*[wants(_looks_up())] * rounds, says("So be it."))
    response = await _generate(provider, tmp_path, rule=rule, max_iterations=default)
    choices = [asked.options.tool_choice for asked in provider.asked if asked.options]
    assert choices == [ToolChoice.AUTO] * rounds + [ToolChoice.NONE]
    assert [call.iteration for call in response.tool_calls] == list(range(1, rounds + 1))
    assert (response.content, response.max_iterations_reached) == ("So be it.", True)


async def test_scenario_call_llm_with_tools_logs_each_iteration(
    scripted: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="core.agent")
    await _generate(scripted(wants(_looks_up(), _looks_up()), says()), tmp_path)
    assert caplog.messages == ["Call 1 to the model: 2 tool calls.", "Call 2 to the model: 0 tool calls."]


@pytest.mark.parametrize("script", [(says("Ada."),), (wants(_looks_up()), says("Ada."))])
async def test_scenario_finish_with_stop_reason(
    scripted: Scripted, tmp_path: Path, script: tuple[ChatResponse, ...]
) -> None:
    response = await _generate(scripted(*script), tmp_path)
    assert (response.content, response.service, response.model) == ("Ada.", "scripted", "scripted-1")
    assert len(response.tool_calls) == len(script) - 1
    assert not response.max_iterations_reached


async def test_scenario_add_assistant_message_and_tool_result_message(scripted: Scripted, tmp_path: Path) -> None:
    invocation = _looks_up(invocation_id="call_7")
    provider = scripted(wants(invocation, preamble="Let me look."), says())
    await _generate(provider, tmp_path)
    assert provider.asked[1].messages[-2:] == (
        PromptMessage(role="assistant", content="Let me look.", tool_invocations=(invocation,)),
        PromptMessage(role="tool_result", content="look_up: Ada 3", invocation_id="call_7", tool_name="look_up"),
    )


async def test_scenario_execute_each_tool_call(scripted: Scripted, tmp_path: Path) -> None:
    asks = wants(_looks_up("Ada", invocation_id="a"), _looks_up("Bo", invocation_id="b", tool="look_on"))
    provider = scripted(asks, says())
    await _generate(provider, tmp_path, a_tool("look_up"), a_tool("look_on"))
    results = [(message.invocation_id, message.content) for message in provider.asked[1].messages[-2:]]
    assert results == [("a", "look_up: Ada 3"), ("b", "look_on: Bo 3")]


async def test_scenario_continue_loop_and_include_tool_calls_in_order(scripted: Scripted, tmp_path: Path) -> None:
    used = [TokenUsage(input_tokens=size, output_tokens=1) for size in (10, 20, 40)]
    provider = scripted(
        wants(_looks_up("Ada"), _looks_up("Bo"), usage=used[0]),
        wants(_looks_up("Cy"), usage=used[1]),
        says(usage=used[2]),
    )
    response = await _generate(provider, tmp_path)
    assert response.tool_calls == (
        ToolCall(tool="look_up", params={"name": "Ada"}, result="look_up: Ada 3", iteration=1),
        ToolCall(tool="look_up", params={"name": "Bo"}, result="look_up: Bo 3", iteration=1),
        ToolCall(tool="look_up", params={"name": "Cy"}, result="look_up: Cy 3", iteration=2),
    )
    assert response.usage == TokenUsage(input_tokens=70, output_tokens=3)


async def test_scenario_max_iterations_reached(
    scripted: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    usage = TokenUsage(input_tokens=10, output_tokens=1)
    provider = scripted(*[wants(_looks_up(), usage=usage)] * 3)
    response = await _generate(provider, tmp_path, rule=_TWO_ROUNDS)
    assert response.content == TOO_MANY_TOOL_CALLS
    assert (response.service, response.model, response.max_iterations_reached) == ("scripted", "scripted-1", True)
    assert [call.iteration for call in response.tool_calls] == [1, 2]
    assert response.usage == TokenUsage(input_tokens=30, output_tokens=3)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_scenario_unexpected_finish_reason_keeps_the_tool_calls(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted(wants(_looks_up()), says("Ada, I th", stop_reason=StopReason.OTHER))
    response = await _generate(provider, tmp_path)
    assert (response.content, len(response.tool_calls)) == ("Ada, I th", 1)


async def test_passages_that_a_search_finds_are_the_sources(scripted: Scripted, tmp_path: Path) -> None:
    provider, search = scripted(wants(an_invocation("compass")), says()), CannedSearch(a_passage())
    response = await _generate(provider, tmp_path, search_tool(search))
    assert (search.asked, response.sources) == ([("compass", 5)], (a_passage(),))


@pytest.mark.parametrize(
    ("invocation", "tool", "result"),
    [
        (_looks_up(), a_failing_tool(), "Error: That page is not there."),
        (_looks_up(""), a_tool(), "Error: look_up needs `name`"),
        (_looks_up(tool="read_ending"), a_tool(), "Error: There is no tool 'read_ending'"),
        (an_invocation("compass"), a_tool(), "Error: "),
        (
            ToolInvocation(tool_name="look_up", arguments={"_unreadable_arguments": "no valid JSON"}),
            a_tool(),
            "Error: ",
        ),
    ],
    ids=[
        "it fails",
        "a bad argument",
        "an unknown tool",
        "a search that is not on offer",
        "arguments that are no JSON",
    ],
)
async def test_scenario_loop_continues_after_tool_error(
    scripted: Scripted, tmp_path: Path, invocation: ToolInvocation, tool: Tool, result: str
) -> None:
    provider = scripted(wants(invocation, _looks_up("Bo", tool="look_on")), says("I could not find that."))
    response = await _generate(provider, tmp_path, tool, a_tool("look_on"))
    failed, went_on = provider.asked[1].messages[-2:]
    assert (failed.role, failed.is_error) == ("tool_result", True)
    assert failed.content.startswith(result)
    assert (went_on.content, went_on.is_error) == ("look_on: Bo 3", False)
    assert response.content == "I could not find that."
    assert [call.result for call in response.tool_calls] == [failed.content, went_on.content]


async def test_scenario_a_model_can_retry_after_a_tool_error(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted(wants(_looks_up("")), wants(_looks_up("Ada")), says("Ada."))
    response = await _generate(provider, tmp_path)
    assert [call.result.startswith("Error: ") for call in response.tool_calls] == [True, False]
    assert response.content == "Ada."
