"""The loopback server refuses what Anthropic's API refuses, so that the other tests of this wire mean something."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anthropic
import pytest

from tests.servers.anthropic_server import KEY, MODEL, AnthropicServer, message_reply, text, tool_use

_TOOL = {"name": "search_book", "description": "Search.", "input_schema": {"type": "object"}}
_RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Nothing."}
_ASKED: list[dict[str, Any]] = [
    {"role": "user", "content": "Who?"},
    {"role": "assistant", "content": [tool_use("toolu_1", {"query": "who"})]},
]
_THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "forged"}


@pytest.fixture
async def server() -> AsyncIterator[AnthropicServer]:
    async with AnthropicServer() as server:
        yield server


def _client(server: AnthropicServer, key: str = KEY) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(api_key=key, base_url=server.url, max_retries=0)


@pytest.mark.parametrize(
    ("request_body", "complaint"),
    [
        ({"temperature": 0}, "temperature: Extra inputs"),
        ({"max_tokens": None}, "max_tokens: Field required"),
        ({"max_tokens": 0}, "max_tokens: Input should be"),
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "assistant", "content": "Hello."}]}, "first message"),
        ({"messages": [{"role": "user", "content": "A"}, {"role": "user", "content": "B"}]}, "alternate"),
        ({"messages": [{"role": "user", "content": "A"}, {"role": "assistant", "content": "B"}]}, "prefill"),
        ({"messages": [{"role": "user", "content": [text(" \n")]}]}, "non-whitespace"),
        ({"messages": [{"role": "user", "content": []}]}, "non-empty content"),
        ({"system": [text("")]}, "system text blocks"),
        ({"messages": [{"role": "user", "content": [_RESULT]}], "tools": [_TOOL]}, "unexpected `tool_use_id`"),
        ({"messages": [*_ASKED, {"role": "user", "content": "Well?"}], "tools": [_TOOL]}, "without `tool_result`"),
        ({"messages": [*_ASKED, {"role": "user", "content": [_RESULT]}]}, "must define tools"),
        (
            {"messages": [*_ASKED, {"role": "user", "content": [text("So:"), _RESULT]}], "tools": [_TOOL]},
            "must come first",
        ),
        (
            {
                "messages": [*_ASKED, {"role": "user", "content": [_RESULT]}, *_ASKED[1:], _ASKED[0]],
                "tools": [_TOOL],
            },
            "`tool_use` ids",
        ),
        (
            {
                "messages": [
                    _ASKED[0],
                    {"role": "assistant", "content": [tool_use("call.1", {})]},
                    {"role": "user", "content": [{**_RESULT, "tool_use_id": "call.1"}]},
                ],
                "tools": [_TOOL],
            },
            "should match pattern",
        ),
        (
            {"messages": [_ASKED[0], {"role": "assistant", "content": [_THOUGHT]}, _ASKED[0]]},
            "Invalid `signature`",
        ),
        ({"tool_choice": {"type": "none"}}, "while providing tools"),
        ({"tools": [_TOOL, _TOOL]}, "unique"),
        ({"system": [{**text("Be brief."), "cache_control": {"type": "ephemeral"}}] * 5}, "maximum of 4"),
    ],
)
async def test_the_server_refuses_what_the_api_refuses(
    server: AnthropicServer, request_body: dict[str, Any], complaint: str
) -> None:
    body = {"model": MODEL, "max_tokens": 10, "messages": [{"role": "user", "content": "Who?"}], **request_body}
    sent = {name: value for name, value in body.items() if value is not None}
    async with _client(server) as client:
        with pytest.raises(anthropic.BadRequestError, match=complaint):
            await client.post("/v1/messages", body=sent, cast_to=anthropic.types.Message)
    assert len(server.refusals) == 1


async def test_the_server_refuses_a_wrong_key(server: AnthropicServer) -> None:
    async with _client(server, "test-key-wrong") as client:
        with pytest.raises(anthropic.AuthenticationError):
            await client.messages.create(model=MODEL, max_tokens=10, messages=[{"role": "user", "content": "Who?"}])


async def _ask(server: AnthropicServer) -> None:
    async with server, _client(server) as client:
        await client.messages.create(model=MODEL, max_tokens=10, messages=[{"role": "user", "content": "Who?"}])


async def _ask_for_models(server: AnthropicServer) -> None:
    async with server, _client(server) as client:
        await client.models.list()


async def test_the_server_fails_a_test_that_left_a_reply_unused() -> None:
    server = AnthropicServer()
    server.will_say(message_reply(text("Ada.")), message_reply(text("Bo.")))
    with pytest.raises(AssertionError, match="1 unused replies for /v1/messages"):
        await _ask(server)


@pytest.mark.parametrize(("ask", "complaint"), [(_ask, "unscripted"), (_ask_for_models, "unknown route GET")])
async def test_the_server_fails_a_test_that_asked_for_more_than_was_scripted(
    ask: Callable[[AnthropicServer], Awaitable[None]], complaint: str
) -> None:
    server = AnthropicServer()
    with pytest.raises(anthropic.APIStatusError):
        await ask(server)
    with pytest.raises(AssertionError, match=complaint):
        server.assert_script_was_followed()
