"""Responses from Anthropic: text, tool use, stop reasons, tokens, and unusable answers."""

from collections.abc import Mapping

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from adapters.llm.arguments import LONGEST_ARGUMENTS
from core.answering.tools.search_book import DEFINITION
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import UNREADABLE_ARGUMENTS, PromptMessage, StopReason, TokenUsage, ToolInvocation
from tests.adapters.llm.on_anthropic import provider, server
from tests.servers.anthropic_server import MODEL, AnthropicServer, message, message_reply, text, tool_use
from tests.servers.scripted import Reply, json_reply

__all__ = ["provider", "server"]

_WHO = [PromptMessage(role="user", content="Who?")]
_BAD = LLMErrorCode.BAD_RESPONSE


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("end_turn", StopReason.END),
        ("stop_sequence", StopReason.END),
        ("max_tokens", StopReason.LENGTH),
        ("refusal", StopReason.REFUSAL),
        ("pause_turn", StopReason.OTHER),
    ],
)
async def test_text_comes_with_its_stop_reason(
    server: AnthropicServer, provider: AnthropicChatProvider, sent: str, expected: StopReason
) -> None:
    server.will_say(message_reply(text("Ada "), text("did."), stop_reason=sent))
    response = await provider.chat(_WHO)
    assert (response.text, response.stop_reason, response.tool_invocations) == ("Ada did.", expected, ())
    assert (response.model, response.provider_state) == (f"{MODEL}-20261001", None)


async def test_one_tool_call_comes_with_its_preamble(server: AnthropicServer, provider: AnthropicChatProvider) -> None:
    server.will_say(message_reply(text("Let me look.\n"), tool_use("toolu_1", {"query": "ä"}), stop_reason="tool_use"))
    response = await provider.chat_with_tools(_WHO, [DEFINITION])
    assert response.text is None
    assert response.preamble == "Let me look."
    assert response.tool_invocation == ToolInvocation(
        tool_name="search_book", arguments={"query": "ä"}, invocation_id="toolu_1"
    )
    assert response.stop_reason is StopReason.TOOL_USE


async def test_several_tool_calls_come_in_order_each_with_its_id(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    calls = [tool_use("toolu_2", {"query": "b"}), tool_use("toolu_1", {"query": "a"}, name="no_such_tool")]
    server.will_say(message_reply(*calls, stop_reason="tool_use"))
    response = await provider.chat_with_tools(_WHO, [DEFINITION])
    found = [(one.invocation_id, one.tool_name, one.arguments) for one in response.tool_invocations]
    assert found == [("toolu_2", "search_book", {"query": "b"}), ("toolu_1", "no_such_tool", {"query": "a"})]
    assert response.preamble is None


async def test_a_tool_call_that_was_cut_off_says_so(server: AnthropicServer, provider: AnthropicChatProvider) -> None:
    server.will_say(message_reply(tool_use("toolu_1", {"query": "com"}), stop_reason="max_tokens"))
    response = await provider.chat_with_tools(_WHO, [DEFINITION])
    assert (response.stop_reason, len(response.tool_invocations)) == (StopReason.LENGTH, 1)


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ('{"query": ', {UNREADABLE_ARGUMENTS: "no valid JSON"}),
        (["query"], {UNREADABLE_ARGUMENTS: "no JSON object"}),
        ({"query": "x" * LONGEST_ARGUMENTS}, {UNREADABLE_ARGUMENTS: "longer than 20000 characters"}),
        (None, {}),
    ],
    ids=["text", "list", "enormous", "null"],
)
async def test_invalid_arguments_are_explained_in_the_call_and_in_its_replay(
    server: AnthropicServer, provider: AnthropicChatProvider, arguments: object, left: dict[str, object]
) -> None:
    server.will_say(
        message_reply(tool_use("toolu_1", arguments), stop_reason="tool_use"), message_reply(text("I can't tell."))
    )
    response = await provider.chat_with_tools(_WHO, [DEFINITION])
    assert response.tool_invocations[0].arguments == left
    turn = PromptMessage(
        role="assistant",
        content="",
        tool_invocations=response.tool_invocations,
        provider_state=response.provider_state,
    )
    result = PromptMessage(role="tool_result", content="Error", invocation_id="toolu_1", is_error=True)
    await provider.chat_with_tools([*_WHO, turn, result], [DEFINITION])
    assert server.requests[1].json()["messages"][1]["content"] == [tool_use("toolu_1", left)]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"input_tokens": 10, "output_tokens": 5}, TokenUsage(input_tokens=10, output_tokens=5)),
        (
            {
                "input_tokens": 10,
                "output_tokens": 5,
                "cache_read_input_tokens": 2_000,
                "cache_creation_input_tokens": 300,
                "output_tokens_details": {"thinking_tokens": 3},
            },
            TokenUsage(input_tokens=2_310, output_tokens=5, cache_read_tokens=2_000, cache_write_tokens=300),
        ),
        (
            {"input_tokens": 7, "output_tokens": None, "cache_read_input_tokens": "many"},
            TokenUsage(input_tokens=7),
        ),
    ],
)
async def test_input_tokens_include_cached_ones(
    server: AnthropicServer, provider: AnthropicChatProvider, sent: Mapping[str, object], expected: TokenUsage
) -> None:
    server.will_say(message_reply(text("Ada."), usage=sent))
    assert (await provider.chat(_WHO)).usage == expected


def _with(**changes: object) -> Reply:
    return json_reply({**message(text("Ada.")), **changes})


@pytest.mark.parametrize(
    ("reply", "code", "cause"),
    [
        (message_reply(), _BAD, "empty answer"),
        (message_reply(text(" \n")), _BAD, "empty answer"),
        (message_reply({"type": "thinking", "thinking": "Hm.", "signature": "s"}), _BAD, "empty answer"),
        (message_reply(stop_reason="max_tokens"), _BAD, "stop_reason max_tokens"),
        (message_reply(text("Ada."), stop_reason=None), _BAD, "stop_reason 'None'"),
        (message_reply(text("Ada."), stop_reason="tired"), _BAD, "stop_reason 'tired'"),
        (_with(stop_reason=["end_turn"]), _BAD, "stop_reason"),
        (
            message_reply(text("Ada"), stop_reason="model_context_window_exceeded"),
            LLMErrorCode.CONTEXT_TOO_LONG,
            "context window",
        ),
        (message_reply(stop_reason="refusal"), LLMErrorCode.REFUSED, "no category"),
        (
            _with(content=[], stop_reason="refusal", stop_details={"type": "refusal", "category": "bio"}),
            LLMErrorCode.REFUSED,
            "bio",
        ),
        (message_reply(text("Ada."), stop_reason="tool_use"), _BAD, "with 0 tool calls"),
        (message_reply(tool_use("toolu_1", {}), stop_reason="end_turn"), _BAD, "with 1 tool calls"),
        (message_reply(tool_use("toolu_1", {}, name=""), stop_reason="tool_use"), _BAD, "without a name"),
        (message_reply(tool_use("", {}), stop_reason="tool_use"), _BAD, "without a name or an id"),
        (_with(content=None), _BAD, "other than a message"),
        (_with(content="Ada."), _BAD, "other than a message"),
        (_with(content=["Ada."]), _BAD, "without a type"),
        (_with(content=[{"text": "Ada."}]), _BAD, "without a type"),
        (json_reply(["Ada."]), _BAD, "other than a message"),
        (json_reply({"type": "error", "error": {"type": "api_error"}}), _BAD, "other than a message"),
        (Reply(body=b'{"id": "msg_01", "content": [{"type"'), _BAD, "JSONDecodeError"),
        (Reply(body=b'{"content": nil}'), _BAD, "JSONDecodeError"),
        (Reply(body=b""), _BAD, "JSONDecodeError"),
        (Reply(body=b"\xff\xfe\xfa"), _BAD, "cannot be read"),
        (Reply(body=b"<html><h1>Welcome</h1></html>", content_type="text/html"), _BAD, "JSONDecodeError"),
        (Reply(body=b'{"content":' + b"[" * 100_000), _BAD, "RecursionError"),
        (Reply(body=b'{"content":' + b"[" * 600 + b"]" * 600 + b"}"), _BAD, "anthropic sent"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_an_error(
    server: AnthropicServer, provider: AnthropicChatProvider, reply: Reply, code: LLMErrorCode, cause: str
) -> None:
    server.will_say(reply)
    with pytest.raises(LLMError) as caught:
        await provider.chat_with_tools(_WHO, [DEFINITION])
    assert caught.value.code is code
    assert cause in caught.value.cause
    assert len(server.requests) == 1
