"""response-generation.md, `Standard Response Generation` and when tools are on offer at all.

Where its scenarios are tested: Build system prompt in `test_response_rules` too; Execution Loop, Tracking and Error
Handling in `test_response_tool_loop`; on the wire (Convert tools to provider format, Parse tool arguments, Add
assistant message with tool calls, Add tool result message) in `tests/adapters/llm/`, `*_wire`, `*_out` and `*_loop`.
"""

import logging
from pathlib import Path

import jinja2
import pytest

from core.agent.response_generator import NO_CONTENT, GeneratedResponse, ResponseGenerator
from core.agent.tool_registry import ToolRegistry
from core.agent.tools.search_book import NOTHING_FOUND
from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.conversation import Role
from core.domain.deadline import TurnLimits
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import GenerationOptions, PromptMessage, StopReason, TokenUsage
from core.domain.words import CUT_SHORT
from tests.builders import a_message, a_passage, a_tool_result, an_invocation, says, wants
from tests.fakes.fixtures import Scripted
from tests.unit.agent.response_bench import PLAIN, WITH_TOOLS, a_rule, a_tool


async def test_scenario_build_system_prompt(scripted: Scripted, tmp_path: Path) -> None:
    rule = a_rule(tmp_path, "{{rag_context}}|{{intent}}|{{service}}|{{user_message}}|{{nested.field}}")
    provider = scripted(says())
    await ResponseGenerator(provider=provider).generate(
        rule, "Who?", passages=[a_passage("The ferry left.")], variables={"nested": {"field": "a club"}}
    )
    assert provider.asked[0].messages[0] == PromptMessage(
        role="system", content="[Pages 1-1]\nThe ferry left.|answer|scripted|Who?|a club"
    )


async def test_a_rule_that_names_passages_is_told_where_there_are_none(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted(says())
    await ResponseGenerator(provider=provider).generate(a_rule(tmp_path, "{{ rag_context }}"), "Who?")
    assert provider.asked[0].messages[0].content == NOTHING_FOUND


async def test_nobody_can_stand_in_for_what_every_rule_is_given(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted(says())
    await ResponseGenerator(provider=provider).generate(
        a_rule(tmp_path, "{{ service }}"), "Who?", variables={"service": "another"}
    )
    assert provider.asked[0].messages[0].content == "scripted"


async def test_a_variable_that_is_not_given_is_an_error_before_any_call(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted()
    with pytest.raises(jinja2.UndefinedError):
        await ResponseGenerator(provider=provider).generate(a_rule(tmp_path, "{{ nested.field }}"), "Who?")
    assert provider.asked == []


async def test_scenario_build_message_array(scripted: Scripted, tmp_path: Path) -> None:
    provider, invocation = scripted(says()), an_invocation(invocation_id="call_9")
    history = [
        a_message("Hello."),
        a_tool_result("[Pages 1-1]\nAda.", invocation=invocation),
        a_message("Hi.", role=Role.ASSISTANT),
    ]
    await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?", history=history)
    assert provider.asked[0].messages == (
        PromptMessage(role="system", content="You are scripted."),
        PromptMessage(role="user", content="Hello."),
        PromptMessage(role="assistant", content="", tool_invocations=(invocation,)),
        PromptMessage(role="tool_result", content="[Pages 1-1]\nAda.", invocation_id="call_9", tool_name="search_book"),
        PromptMessage(role="assistant", content="Hi."),
        PromptMessage(role="user", content="Who?"),
    )


async def test_scenario_call_ai_provider(scripted: Scripted, tmp_path: Path) -> None:
    provider, deadline = scripted(says()), TurnLimits().deadline()
    await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?", deadline=deadline)
    assert provider.asked[0].tools is None
    assert provider.asked[0].options == GenerationOptions(
        model="large-1", temperature=0.2, max_tokens=300, deadline=deadline
    )


async def test_the_operators_settings_win_and_a_turn_has_a_budget_of_its_own(
    scripted: Scripted, tmp_path: Path
) -> None:
    provider = scripted(says())
    generator = ResponseGenerator(provider=provider, settings=GenerationOptions(model="small-1", max_tokens=90))
    await generator.generate(a_rule(tmp_path), "Who?")
    options = provider.asked[0].options
    assert options is not None
    assert (options.model, options.temperature, options.max_tokens) == ("small-1", 0.2, 90)
    assert options.deadline is not None


async def test_scenario_return_response(scripted: Scripted, tmp_path: Path) -> None:
    usage, events = TokenUsage(input_tokens=80, output_tokens=6), list[ChatEvent]()
    provider = scripted(says(" Ada (p. 1). ", usage=usage, model="large-1-0424"))
    passage = a_passage()
    response = await ResponseGenerator(provider=provider, on_event=events.append).generate(
        a_rule(tmp_path), "Who?", passages=[passage]
    )
    assert response == GeneratedResponse(
        content="Ada (p. 1).", service="scripted", model="large-1-0424", sources=(passage,), usage=usage
    )
    assert events == [TokenUsageEvent(input_tokens=80, output_tokens=6)]


async def test_scenario_empty_tool_calls(scripted: Scripted, tmp_path: Path) -> None:
    generator = ResponseGenerator(provider=scripted(says("Ada.")), tools=ToolRegistry([a_tool()]))
    response = await generator.generate(a_rule(tmp_path, WITH_TOOLS), "Who?")
    assert (response.content, response.tool_calls, response.max_iterations_reached) == ("Ada.", (), False)
    assert response.model == "scripted-1"


@pytest.mark.parametrize(
    ("registry", "rule"),
    [
        (None, WITH_TOOLS),
        (ToolRegistry([a_tool()], enabled=False), WITH_TOOLS),
        (ToolRegistry([a_tool()]), PLAIN),
        (ToolRegistry([a_tool()]), "---\ntools:\n  enabled: false\n  allowed_tools: [look_up]\n---\nBe kind."),
    ],
    ids=["no registry", "not enabled", "a rule without tools", "a rule that switches tools off"],
)
async def test_scenario_check_if_tools_enabled(
    scripted: Scripted,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    registry: ToolRegistry | None,
    rule: str,
) -> None:
    provider = scripted(says("Ada."))
    response = await ResponseGenerator(provider=provider, tools=registry).generate(a_rule(tmp_path, rule), "Who?")
    assert (response.content, response.tool_calls) == ("Ada.", ())
    assert provider.asked[0].tools is None
    assert caplog.messages == []


async def test_scenario_tool_calling_enabled_path(scripted: Scripted, tmp_path: Path) -> None:
    provider, tool = scripted(says("Ada.")), a_tool()
    generator = ResponseGenerator(provider=provider, tools=ToolRegistry([tool]))
    await generator.generate(a_rule(tmp_path, WITH_TOOLS), "Who?")
    assert provider.asked[0].tools == (tool,)
    assert provider.asked[0].options is not None
    assert provider.asked[0].options.max_tokens == 300


async def test_scenario_get_allowed_tools(scripted: Scripted, tmp_path: Path) -> None:
    provider, allowed = scripted(says("Ada.")), a_tool("look_up")
    rule = a_rule(tmp_path, "---\ntools:\n  enabled: true\n  allowed_tools: [look_up]\n---\nBe kind.")
    await ResponseGenerator(provider=provider, tools=ToolRegistry([a_tool("hide"), allowed])).generate(rule, "Who?")
    assert provider.asked[0].tools == (allowed,)


@pytest.mark.parametrize("allowed", ["[]", "[read_pages]"])
async def test_scenario_no_tools_available(
    scripted: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture, allowed: str
) -> None:
    provider = scripted(says("Ada."))
    rule = a_rule(tmp_path, f"---\ntools:\n  enabled: true\n  allowed_tools: {allowed}\n---\nBe kind.")
    response = await ResponseGenerator(provider=provider, tools=ToolRegistry([a_tool()])).generate(rule, "Who?")
    assert (response.content, provider.asked[0].tools) == ("Ada.", None)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "answer" in caplog.messages[0]


async def test_without_tools_on_offer_a_wish_for_one_is_no_content(scripted: Scripted, tmp_path: Path) -> None:
    response = await ResponseGenerator(provider=scripted(wants())).generate(a_rule(tmp_path), "Who?")
    assert (response.content, response.tool_calls) == (NO_CONTENT, ())


@pytest.mark.parametrize("rule", [PLAIN, WITH_TOOLS])
@pytest.mark.parametrize(("said", "content"), [(" Ada. ", "Ada."), ("", NO_CONTENT), (" \n", NO_CONTENT)])
async def test_scenario_unexpected_finish_reason(
    scripted: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture, rule: str, said: str, content: str
) -> None:
    provider = scripted(says(said, stop_reason=StopReason.OTHER))
    generator = ResponseGenerator(provider=provider, tools=ToolRegistry([a_tool()]))
    response = await generator.generate(a_rule(tmp_path, rule), "Who?")
    assert (response.content, response.service, response.model) == (content, "scripted", "scripted-1")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_a_response_that_was_cut_off_says_so(scripted: Scripted, tmp_path: Path) -> None:
    provider = scripted(says("Ada has it. Tobias ke", stop_reason=StopReason.LENGTH))
    response = await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?")
    assert response.content == f"Ada has it.\n\n{CUT_SHORT}"


@pytest.mark.parametrize("rule", [PLAIN, WITH_TOOLS])
async def test_a_model_that_fails_or_refuses_is_an_error(scripted: Scripted, tmp_path: Path, rule: str) -> None:
    provider = scripted(LLMError(LLMErrorCode.OVERLOADED, "busy"), says("No.", stop_reason=StopReason.REFUSAL))
    generator = ResponseGenerator(provider=provider, tools=ToolRegistry([a_tool()]))
    for code in (LLMErrorCode.OVERLOADED, LLMErrorCode.REFUSED):
        with pytest.raises(LLMError) as caught:
            await generator.generate(a_rule(tmp_path, rule), "Who?")
        assert caught.value.code is code
