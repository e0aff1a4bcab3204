"""The agent loop: model, tools, results, answer, and what a model that errs reads of it."""

import logging

import pytest

from core.agent.loop import DEFAULT_MAX_ITERATIONS, AgentRun
from core.answering.tools.search_book import DEFINITION, search_tool
from core.domain.chat_event import ChatEvent, ToolResultEvent
from core.domain.conversation import Role, TurnOutcome
from core.domain.tool_use import (
    GenerationOptions,
    PromptMessage,
    ToolChoice,
    ToolInvocation,
)
from tests.builders import a_passage, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch

_QUESTION = PromptMessage(role="user", content="Who carries the compass?")
_FERRY = a_passage("The ferry left.", chunk_id=11, page=1)
_LIGHT = a_passage("The lamp burned.", chunk_id=12, page=2)


async def _answered(
    run: AgentRun, options: GenerationOptions | None = None, *, max_iterations: int = DEFAULT_MAX_ITERATIONS
) -> TurnOutcome:
    tools = [search_tool(run.search_fn)]
    return await run.until_answered(tools, options, max_iterations=max_iterations)


def _run(provider: ScriptedChatProvider, search: CannedSearch, events: list[ChatEvent] | None = None) -> AgentRun:
    sink = None if events is None else events.append
    return AgentRun(provider=provider, prompt=[_QUESTION], search_fn=search, on_event=sink)


async def test_ca_2_direct_text_ends_the_loop_at_once(scripted: Scripted) -> None:
    provider, search = scripted(says("Ada does.")), CannedSearch(_FERRY)
    outcome = await _answered(_run(provider, search))
    assert (outcome.text, outcome.iterations, outcome.max_iterations_reached) == ("Ada does.", 1, False)
    assert (outcome.sources, outcome.tool_calls, outcome.messages) == ((), (), ())
    assert search.asked == []
    assert provider.asked[0].messages == (_QUESTION,)
    assert [tool.name for tool in provider.asked[0].tools or ()] == [DEFINITION.name]


async def test_ca_2_single_tool_invocation_then_text(scripted: Scripted) -> None:
    invocation = an_invocation("compass", invocation_id="call_7", top_k=3)
    provider, search = scripted(wants(invocation), says("Ada (p. 1).")), CannedSearch(_FERRY, _LIGHT)
    outcome = await _answered(_run(provider, search))
    text = "[p. 1]\nThe ferry left.\n\n[p. 2]\nThe lamp burned."
    assert search.asked == [("compass", 3)]
    assert provider.asked[1].messages == (
        _QUESTION,
        PromptMessage(role="assistant", content="", tool_invocations=(invocation,)),
        PromptMessage(role="tool_result", content=text, invocation_id="call_7", tool_name="search_book"),
    )
    assert (outcome.text, outcome.iterations, outcome.sources) == ("Ada (p. 1).", 2, (_FERRY, _LIGHT))
    assert [(call.tool, call.params, call.result, call.iteration) for call in outcome.tool_calls] == [
        ("search_book", {"query": "compass", "top_k": 3}, text, 1)
    ]
    assert [(m.role, m.content, m.reveals_page, m.invocation) for m in outcome.messages] == [
        (Role.TOOL_RESULT, text, 2, invocation)
    ]


async def test_ca_2_tools_on_consecutive_calls_all_run(scripted: Scripted) -> None:
    provider = scripted(
        wants(an_invocation("compass", invocation_id="a")),
        wants(an_invocation("ferry", invocation_id="b")),
        says("Yes."),
    )
    search = CannedSearch(_FERRY)
    outcome = await _answered(_run(provider, search))
    assert search.asked == [("compass", 5), ("ferry", 5)]
    assert [call.iteration for call in outcome.tool_calls] == [1, 2]
    assert outcome.sources == (_FERRY,)
    assert [message.role for message in provider.asked[2].messages] == [
        "user",
        "assistant",
        "tool_result",
        "assistant",
        "tool_result",
    ]


async def test_several_tool_calls_at_once_are_paired_by_id(scripted: Scripted) -> None:
    first = an_invocation("compass", invocation_id="call_a")
    second = an_invocation("ferry", invocation_id="call_b")
    asks = wants(first, second, preamble="Let me look.", provider_state={"thinking": "opaque"})
    provider, search = scripted(asks, says("Yes.")), CannedSearch(_FERRY)
    outcome = await _answered(_run(provider, search))
    _, assistant, *results = provider.asked[1].messages
    assert assistant.tool_invocations == (first, second)
    assert (assistant.content, assistant.provider_state) == ("Let me look.", {"thinking": "opaque"})
    assert [(result.role, result.invocation_id) for result in results] == [
        ("tool_result", "call_a"),
        ("tool_result", "call_b"),
    ]
    assert [message.invocation for message in outcome.messages] == [first, second]
    assert [call.iteration for call in outcome.tool_calls] == [1, 1]


async def test_calls_and_the_end_of_the_rounds_are_logged(scripted: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="core.agent.loop")
    both = wants(an_invocation("compass", invocation_id="a"), an_invocation("ferry", invocation_id="b"))
    await _answered(_run(scripted(both, says("Yes.")), CannedSearch()), max_iterations=1)
    first, warned, second = caplog.records
    assert (first.getMessage(), second.getMessage()) == (
        "Call 1 to the model: 2 tool calls.",
        "Call 2 to the model: 0 tool calls.",
    )
    assert (warned.levelno, "1 times" in warned.getMessage()) == (logging.WARNING, True)


@pytest.mark.parametrize("limit", [1, 2, 3])
async def test_the_last_call_has_the_tools_defined_but_forbidden(scripted: Scripted, limit: int) -> None:
    provider = scripted(*[wants()] * limit, says("So be it."))
    options = GenerationOptions(max_tokens=700)
    run = _run(provider, CannedSearch(_FERRY))
    outcome = await _answered(run, options, max_iterations=limit)
    choices = [asked.options.tool_choice for asked in provider.asked if asked.options]
    assert choices == [ToolChoice.AUTO] * limit + [ToolChoice.NONE]
    assert all([tool.name for tool in asked.tools or ()] == [DEFINITION.name] for asked in provider.asked)
    assert {asked.options.max_tokens for asked in provider.asked if asked.options} == {700}
    assert (outcome.text, outcome.max_iterations_reached, outcome.iterations) == ("So be it.", True, limit + 1)


@pytest.mark.parametrize(
    ("invocation", "reads", "query"),
    [
        (an_invocation("x", tool_name="read_ending"), "Error: There is no tool 'read_ending'", "x"),
        (an_invocation(""), "Error: search_book needs `query`", ""),
        (an_invocation("  \n"), "Error: search_book needs `query`", "  \n"),
        (an_invocation(17), "Error: search_book needs `query`", "17"),
        (an_invocation(None), "Error: search_book needs `query`", "None"),
        (an_invocation(["compass"]), "Error: search_book needs `query`", "['compass']"),
        (ToolInvocation(tool_name="search_book", arguments={}), "Error: search_book needs `query`", ""),
        (ToolInvocation(tool_name="", arguments={}), "Error: There is no tool ''", ""),
    ],
)
async def test_an_unknown_tool_or_bad_arguments_become_a_result_that_the_model_reads(
    scripted: Scripted, invocation: ToolInvocation, reads: str, query: str
) -> None:
    provider, search, events = (
        scripted(wants(invocation), says("I could not.")),
        CannedSearch(_FERRY),
        list[ChatEvent](),
    )
    outcome = await _answered(_run(provider, search, events))
    result = provider.asked[1].messages[-1]
    assert (result.role, result.is_error) == ("tool_result", True)
    assert result.content.startswith(reads)
    assert search.asked == []
    assert (outcome.text, outcome.sources) == ("I could not.", ())
    assert [(m.is_error, m.content) for m in outcome.messages] == [(True, result.content)]
    assert ToolResultEvent(query=query, result_count=0, results=[], is_search=False) in events


async def test_one_bad_call_among_good_ones_does_not_stop_them(scripted: Scripted) -> None:
    bad = an_invocation("x", tool_name="guess", invocation_id="bad")
    good = an_invocation("ferry", invocation_id="good")
    provider = scripted(wants(bad, good), says("Yes."))
    outcome = await _answered(_run(provider, CannedSearch(_FERRY)))
    assert [(m.invocation_id, m.is_error) for m in provider.asked[1].messages[2:]] == [("bad", True), ("good", False)]
    assert outcome.sources == (_FERRY,)
