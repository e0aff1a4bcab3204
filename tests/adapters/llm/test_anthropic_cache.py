"""Prompt caching at Anthropic: marks on stable parts, and bytes before them that do not change from call to call."""

import json

from adapters.llm.anthropic import AnthropicChatProvider
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolChoice, ToolDefinition, ToolInvocation
from tests.adapters.llm.on_anthropic import provider, server
from tests.servers.anthropic_server import AnthropicServer, message_reply, text

__all__ = ["provider", "server"]

_OTHER_TOOL = ToolDefinition(name="read_pages", description="Read.", parameters={"type": "object"})
_TOOLS = [_OTHER_TOOL, DEFINITION]
_SYSTEM = PromptMessage(role="system", content="You know the book up to page 40. “Ä”")
_HISTORY = [
    PromptMessage(role="user", content="Who has the compass?"),
    PromptMessage(role="assistant", content="Ada (p. 1)."),
]
_QUESTION = PromptMessage(role="user", content="And the ledger?")
_MARK = b',"cache_control":{"type":"ephemeral"}'


def _round(number: int) -> list[PromptMessage]:
    invocation = ToolInvocation(
        tool_name="search_book", arguments={"query": f"ledger {number}"}, invocation_id=f"toolu_{number}"
    )
    return [
        PromptMessage(role="assistant", content="", tool_invocations=(invocation,)),
        PromptMessage(role="tool_result", content=f"[p. 3]\n{number}", invocation_id=f"toolu_{number}"),
    ]


def _raw_parts(body: bytes) -> dict[str, str]:
    """Return the values of a JSON object as the raw text on the wire."""
    written, decoder, place = body.decode(), json.JSONDecoder(), 1
    parts: dict[str, str] = {}
    while written[place - 1] != "}":
        name, place = decoder.raw_decode(written, place)
        start = place + 1
        _, place = decoder.raw_decode(written, start)
        parts[name] = written[start:place]
        place += 1
    return parts


def _cached_prefix(body: bytes) -> list[bytes]:
    """Return what the API caches for each mark: tools, system, messages, as raw bytes up to the mark."""
    parts = _raw_parts(body)
    stream = "".join(parts.get(name, "") for name in ("tools", "system", "messages")).encode()
    pieces = stream.split(_MARK)
    return [b"".join(pieces[: count + 1]) for count in range(len(pieces) - 1)]


async def _sent(
    server: AnthropicServer,
    provider: AnthropicChatProvider,
    prompt: list[PromptMessage],
    choice: ToolChoice = ToolChoice.AUTO,
) -> bytes:
    server.will_say(message_reply(text("Under the coal.")))
    await provider.chat_with_tools(prompt, _TOOLS, GenerationOptions(tool_choice=choice))
    return server.requests[-1].body


async def test_marks_are_on_the_last_tool_the_system_prompt_and_the_end_of_the_history(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    body = json.loads(await _sent(server, provider, [_SYSTEM, *_HISTORY, _QUESTION]))
    assert ["cache_control" in tool for tool in body["tools"]] == [False, True]
    assert ["cache_control" in block for block in body["system"]] == [True]
    marked = ["cache_control" in block for one in body["messages"] for block in one["content"]]
    assert marked == [False, True, False]


async def test_the_calls_of_one_turn_share_every_byte_up_to_the_marks(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    prompt = [_SYSTEM, *_HISTORY, _QUESTION]
    first = _cached_prefix(await _sent(server, provider, prompt))
    second = _cached_prefix(await _sent(server, provider, [*prompt, *_round(1)]))
    third = _cached_prefix(await _sent(server, provider, [*prompt, *_round(1), *_round(2)]))
    last = _cached_prefix(await _sent(server, provider, [*prompt, *_round(1), *_round(2)], ToolChoice.NONE))
    assert [len(marks) for marks in (first, second, third, last)] == [3, 4, 4, 3]
    assert first == second[:3] == third[:3] == last
    assert third[3].startswith(second[3])
    assert b"[p. 3]\\n1" in second[3]


async def test_the_next_turn_begins_with_every_byte_that_the_last_one_cached(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    before = _cached_prefix(await _sent(server, provider, [_SYSTEM, *_HISTORY, _QUESTION]))
    grown = [_SYSTEM, *_HISTORY, _QUESTION, *_round(1), PromptMessage(role="assistant", content="Under the coal.")]
    after = _cached_prefix(await _sent(server, provider, [*grown, PromptMessage(role="user", content="Who hid it?")]))
    assert after[:2] == before[:2]
    assert after[2].startswith(before[2])
    assert after[2].endswith(b'"Under the coal."')
