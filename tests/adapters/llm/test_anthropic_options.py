"""Requests to Anthropic besides the dialogue: tool choice, options, and returned state."""

from collections.abc import AsyncIterator

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolChoice, ToolInvocation
from tests.adapters.llm.on_anthropic import provider, server
from tests.servers.anthropic_server import KEY, MODEL, AnthropicServer, error_reply, message_reply, text, tool_use

__all__ = ["provider", "server"]

_WHO = PromptMessage(role="user", content="Who?")
_FOUND = PromptMessage(role="tool_result", content="Page 3.", invocation_id="toolu_1", tool_name="search_book")
_ANSWER = message_reply(text("Ada."))


@pytest.mark.parametrize(("choice", "sent"), [(ToolChoice.AUTO, "auto"), (ToolChoice.NONE, "none")])
async def test_tools_stay_defined_whatever_the_choice(
    server: AnthropicServer, provider: AnthropicChatProvider, choice: ToolChoice, sent: str
) -> None:
    server.will_say(_ANSWER)
    await provider.chat_with_tools([_WHO], [DEFINITION], GenerationOptions(tool_choice=choice))
    body = server.requests[0].json()
    assert body["tool_choice"] == {"type": sent}
    assert [(tool["name"], tool["input_schema"]) for tool in body["tools"]] == [
        (DEFINITION.name, DEFINITION.parameters)
    ]


async def test_past_tool_use_without_tools_on_offer_names_them_in_order_but_forbids_them(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.will_say(_ANSWER)
    names = ["search_book", "read_pages", "open_door", "list_chapters", "ask_ada", "zoom"]
    used = tuple(ToolInvocation(tool_name=name, arguments={}, invocation_id=f"toolu_{name}") for name in names)
    await provider.chat([_WHO, PromptMessage(role="assistant", content="", tool_invocations=used)])
    body = server.requests[0].json()
    assert [tool["name"] for tool in body["tools"]] == sorted(names)
    assert body["tool_choice"] == {"type": "none"}


@pytest.mark.parametrize(
    ("options", "sent", "dropped"),
    [
        (GenerationOptions(), (MODEL, 4_096), []),
        (GenerationOptions(model="claude-haiku-5-5", max_tokens=300), ("claude-haiku-5-5", 300), []),
        (GenerationOptions(temperature=0.0), (MODEL, 4_096), ["temperature"]),
        (GenerationOptions(max_tokens=64_000), (MODEL, 21_000), ["max_tokens"]),
        (GenerationOptions(max_tokens=0, temperature=1.0), (MODEL, 1), ["temperature", "max_tokens"]),
    ],
)
async def test_options_are_sent_where_the_api_takes_them(
    server: AnthropicServer,
    provider: AnthropicChatProvider,
    options: GenerationOptions,
    sent: tuple[str, int],
    dropped: list[str],
) -> None:
    server.will_say(_ANSWER)
    await provider.chat([_WHO], options)
    body = server.requests[0].json()
    assert (body["model"], body["max_tokens"], set(body)) == (*sent, {"model", "max_tokens", "messages"})
    assert provider.dropped_options(options) == dropped


async def test_thinking_is_returned_unchanged_with_the_results(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    thinking: dict[str, object] = {"type": "thinking", "thinking": "Ada? Or Bo…", "signature": "EqQB+/=="}
    hidden: dict[str, object] = {"type": "redacted_thinking", "data": "b64=="}
    answer = [
        thinking,
        hidden,
        {**text("Let me look."), "citations": None},
        text(" "),
        tool_use("toolu_1", {"top_k": 3, "query": "ä"}),
    ]
    server.signatures.add("EqQB+/==:Ada? Or Bo…")
    server.will_say(message_reply(*answer, stop_reason="tool_use"), _ANSWER)
    response = await provider.chat_with_tools([_WHO], [DEFINITION])
    turn = PromptMessage(
        role="assistant",
        content=response.preamble or "",
        tool_invocations=response.tool_invocations,
        provider_state=response.provider_state,
    )
    await provider.chat_with_tools([_WHO, turn, _FOUND], [DEFINITION])
    sent_back = server.requests[1].json()["messages"][1]["content"]
    assert sent_back == [thinking, hidden, text("Let me look."), answer[4]]
    assert list(sent_back[3]["input"]) == ["top_k", "query"]


async def test_a_redacted_prompt_wins_over_the_stored_state(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.will_say(message_reply(tool_use("toolu_1", {"query": "the murderer"}), stop_reason="tool_use"), _ANSWER)
    response = await provider.chat_with_tools([_WHO], [DEFINITION])
    redacted = ToolInvocation(tool_name="search_book", arguments={"query": "[redacted]"}, invocation_id="toolu_1")
    turn = PromptMessage(
        role="assistant", content="", tool_invocations=(redacted,), provider_state=response.provider_state
    )
    await provider.chat_with_tools([_WHO, turn, _FOUND], [DEFINITION])
    assert b"murderer" not in server.requests[1].body
    assert server.requests[1].json()["messages"][1]["content"] == [tool_use("toolu_1", {"query": "[redacted]"})]


_FORM = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


@pytest.fixture
async def native(server: AnthropicServer) -> AsyncIterator[AnthropicChatProvider]:
    provider = AnthropicChatProvider(api_key=KEY, model=MODEL, base_url=server.url, native=True)
    yield provider
    await provider.close()


async def test_an_output_schema_is_sent_to_anthropics_own_host(
    server: AnthropicServer, native: AnthropicChatProvider, provider: AnthropicChatProvider
) -> None:
    server.will_say(message_reply(text("{}")), _ANSWER)
    await provider.chat([_WHO], GenerationOptions(answer_schema=_FORM))
    assert "output_config" not in server.requests.pop().json()
    await native.chat([_WHO], GenerationOptions(answer_schema=_FORM))
    assert server.requests[0].json()["output_config"] == {"format": {"type": "json_schema", "schema": _FORM}}


async def test_a_refused_output_schema_is_left_out_from_then_on(
    server: AnthropicServer, native: AnthropicChatProvider
) -> None:
    refusal = error_reply(400, "output_config.format: structured output is not supported by this model")
    server.will_say(refusal, _ANSWER, _ANSWER)
    for _ in range(2):
        assert (await native.chat([_WHO], GenerationOptions(answer_schema=_FORM))).text == "Ada."
    assert ["output_config" in request.json() for request in server.requests] == [True, False, False]
