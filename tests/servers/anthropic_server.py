"""Anthropic's Messages API on loopback: scripted answers, and the refusals of the real API, worded as it words them.

The rules are from its documentation; where it leaves a choice, the stricter reading is taken.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tests.servers.scripted import ReceivedRequest, Reply, ScriptedServer, json_reply

KEY = "test-key-4711"
MODEL = "claude-sonnet-5-5"
MESSAGES = "/v1/messages"

_MOST_CACHE_MARKS = 4
_KNOWN = {
    "cache_control", "container", "diagnostics", "inference_geo", "max_tokens", "messages", "metadata", "model",
    "output_config", "service_tier", "speed", "stop_sequences", "stream", "system", "thinking", "tool_choice", "tools",
}  # fmt: skip
_BLOCK_FIELDS = {
    "text": {"type", "text", "cache_control", "citations"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
    "tool_use": {"type", "id", "name", "input", "cache_control", "caller"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
}
_ERROR_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 408: "timeout_error", 409: "conflict_error", 413: "request_too_large",
    429: "rate_limit_error", 500: "api_error", 502: "api_error", 503: "api_error", 504: "timeout_error",
    529: "overloaded_error",
}  # fmt: skip


class AnthropicServer(ScriptedServer):
    """The one path that the adapter uses. `signatures`: the thinking signatures that it gave out, and takes back."""

    paths = (MESSAGES,)

    def __init__(self) -> None:
        super().__init__()
        self.signatures: set[str] = set()

    def will_say(self, *replies: Reply) -> None:
        """Append replies to the script."""
        self.will_answer(MESSAGES, *replies)

    def refuse(self, request: ReceivedRequest) -> Reply | None:
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return error_reply(401, "invalid bearer token")
        if not request.headers.get("anthropic-version"):
            return error_reply(400, "anthropic-version: header is required")
        complaint = next(_complaints(request.json(), self.signatures), None)
        return error_reply(400, complaint) if complaint else None


def message_reply(
    *content: Mapping[str, object], stop_reason: str | None = "end_turn", usage: Mapping[str, object] | None = None
) -> Reply:
    """A whole answer."""
    return json_reply(message(*content, stop_reason=stop_reason, usage=usage))


def message(
    *content: Mapping[str, object], stop_reason: str | None = "end_turn", usage: Mapping[str, object] | None = None
) -> dict[str, object]:
    """The body of a whole answer."""
    return {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": f"{MODEL}-20261001",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 10, "output_tokens": 5},
    }


def text(words: str) -> dict[str, object]:
    """A text block."""
    return {"type": "text", "text": words}


def tool_use(invocation_id: str, arguments: object, name: str = "search_book") -> dict[str, object]:
    """A tool_use block."""
    return {"type": "tool_use", "id": invocation_id, "name": name, "input": arguments}


def error_body(status: int, words: str, **details: str) -> dict[str, object]:
    """An error as the API words it."""
    error: dict[str, object] = {"type": _ERROR_TYPES[status], "message": words}
    return {
        "type": "error",
        "error": {**error, "details": details} if details else error,
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    }


def error_reply(status: int, words: str, *, headers: Mapping[str, str] | None = None, **details: str) -> Reply:
    """A reply with such an error."""
    return json_reply(error_body(status, words, **details), status=status, headers=headers)


def _complaints(body: dict[str, Any], signatures: set[str]) -> Iterator[str]:
    """Yield what the API finds wrong, in the order in which it looks."""
    yield from (f"{name}: Extra inputs are not permitted" for name in body if name not in _KNOWN)
    yield from (f"{name}: Field required" for name in ("model", "max_tokens", "messages") if name not in body)
    if body["max_tokens"] < 1:
        yield "max_tokens: Input should be greater than or equal to 1"
    yield from _tool_complaints(body)
    yield from _system_complaints(body.get("system"))
    yield from _message_complaints(body, signatures)
    marks = json.dumps(body).count('"cache_control"')
    if marks > _MOST_CACHE_MARKS:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."


def _tool_complaints(body: dict[str, Any]) -> Iterator[str]:
    tools = body.get("tools", [])
    for number, tool in enumerate(tools):
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool.get("name", "")):
            yield f"tools.{number}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"tools.{number}.custom.input_schema.type: Field required"
    names = [tool["name"] for tool in tools]
    if len(names) != len(set(names)):
        yield "tools: Tool names must be unique."
    if "tool_choice" in body and not tools:
        yield "tool_choice may only be specified while providing tools."


def _system_complaints(system: object) -> Iterator[str]:
    for number, block in enumerate(system if isinstance(system, list) else []):
        if not block.get("text", "").strip():
            yield f"system.{number}: system text blocks must contain non-whitespace text"


def _message_complaints(body: dict[str, Any], signatures: set[str]) -> Iterator[str]:
    messages = body["messages"]
    yield from _order_complaints([one["role"] for one in messages])
    asked: list[str] = []
    seen: list[str] = []
    for number, one in enumerate(messages):
        where = f"messages.{number}"
        blocks = _blocks(one)
        if not blocks:
            yield f"{where}: all messages must have non-empty content"
        for place, block in enumerate(blocks):
            yield from _block_complaints(f"{where}.content.{place}", one["role"], block, signatures)
        yield from _pairing_complaints(where, blocks, asked)
        asked = [str(block["id"]) for block in blocks if block["type"] == "tool_use"]
        seen += asked
    if len(seen) != len(set(seen)):
        yield "messages: `tool_use` ids must be unique"
    if seen and not body.get("tools"):
        yield "Requests which include `tool_use` or `tool_result` blocks must define tools."


def _order_complaints(roles: list[str]) -> Iterator[str]:
    if not roles:
        yield "messages: at least one message is required"
        return
    if roles[0] != "user":
        yield 'messages: first message must use the "user" role'
    if any(role == before for before, role in pairwise(roles)):
        yield 'messages: roles must alternate between "user" and "assistant"'
    if roles[-1] != "user":
        yield "This model does not support assistant message prefill. The conversation must end with a user message."


def _blocks(one: dict[str, Any]) -> list[dict[str, Any]]:
    content = one["content"]
    return content if isinstance(content, list) else [text(content)]


def _block_complaints(where: str, role: str, block: dict[str, Any], signatures: set[str]) -> Iterator[str]:
    kind = block["type"]
    if kind not in _BLOCK_FIELDS:
        yield f"{where}.type: Input tag '{kind}' is not known"
        return
    yield from (f"{where}.{kind}.{name}: Extra inputs are not permitted" for name in set(block) - _BLOCK_FIELDS[kind])
    if kind == "text" and not block["text"].strip():
        yield f"{where}: text content blocks must contain non-whitespace text"
    if (role == "user") != (kind == "tool_result") and kind != "text":
        yield f"{where}: {kind} blocks can not be in {role} messages"
    if kind == "thinking" and f"{block['signature']}:{block['thinking']}" not in signatures:
        yield f"{where}: Invalid `signature` in `thinking` block"
    if kind == "tool_use":
        yield from _tool_use_complaints(f"{where}.tool_use", block)


def _tool_use_complaints(where: str, block: dict[str, Any]) -> Iterator[str]:
    if not re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]):
        yield f"{where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", block["name"]):
        yield f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
    if not isinstance(block["input"], dict):
        yield f"{where}.input: Input should be a valid dictionary"


def _pairing_complaints(where: str, blocks: list[dict[str, Any]], asked: list[str]) -> Iterator[str]:
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    for orphan in sorted(set(answered) - set(asked)):
        yield f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {orphan}."
    if len(answered) != len(set(answered)):
        yield f"{where}: each tool_use must have a single result"
    if missing := [one for one in asked if one not in answered]:
        yield f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {missing}."
    kinds = [block["type"] == "tool_result" for block in blocks]
    if kinds != sorted(kinds, reverse=True):
        yield f"{where}: tool_result blocks must come first"
