"""OpenAI's wire on loopback: Chat Completions and embeddings, as strict as the real API, or as loose as local servers.

What is refused, and in which words, follows the API's documented errors and those that users have reported.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.servers.scripted import ReceivedRequest, Reply, ScriptedServer, json_reply

CHAT = "/v1/chat/completions"
EMBEDDINGS = "/v1/embeddings"

_CHAT_PARAMETERS = {
    "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "temperature", "max_tokens", "stream", "stop",
    "max_completion_tokens", "reasoning_effort", "prompt_cache_key", "response_format",
    "seed", "top_p", "n", "store", "verbosity",
}  # fmt: skip
_EMBEDDING_PARAMETERS = {"model", "input", "dimensions", "encoding_format", "user"}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LONGEST_ID = 40


class OpenAIServer(ScriptedServer):
    """Refuses what the real API refuses.

    Args:
        without: parameters that the model does not take (`temperature`, `max_tokens`, ...).
        reasons: a reasoning model: it takes tools only with `reasoning_effort` none, or never where `always_reasons`.
        strings_only: a compatible server, whose chat template fails on null content and on arguments that are no JSON.
        turns: the status with which a template refuses users in a row: vLLM answers 400, llama.cpp 500.
    """

    paths = (CHAT, EMBEDDINGS)

    def __init__(
        self,
        *,
        without: Sequence[str] = (),
        reasons: bool = False,
        always_reasons: bool = False,
        strings_only: bool = False,
        turns: int | None = None,
    ) -> None:
        super().__init__()
        self._turns = turns
        self._without = without
        self._reasons = reasons or always_reasons
        self._always_reasons = always_reasons
        self._strings_only = strings_only

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def refuse(self, request: ReceivedRequest) -> Reply | None:
        body = request.json()
        if not request.headers.get("Authorization", "").startswith("Bearer "):
            return error_reply(401, "You didn't provide an API key.", kind="invalid_request_error")
        if request.path == EMBEDDINGS:
            said = _refused_embedding(body)
            return error_reply(400, said) if said else None
        for name in body:
            if name not in _CHAT_PARAMETERS:
                return error_reply(400, f"Unrecognized request argument supplied: {name}", param=name)
            if name in self._without:
                return error_reply(
                    400,
                    f"Unsupported parameter: '{name}' is not supported with this model.",
                    param=name,
                    code="unsupported_parameter",
                )
        return self._refused_reasoning(body) or self._refused_messages(body)

    def _refused_reasoning(self, body: Mapping[str, Any]) -> Reply | None:
        effort = body.get("reasoning_effort")
        if not self._reasons:
            return (
                None if effort is None else error_reply(400, "Unrecognized: reasoning_effort", param="reasoning_effort")
            )
        if effort == "none" and self._always_reasons:
            said = "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
            return error_reply(400, said, param="reasoning_effort", code="unsupported_value")
        if body.get("tools") and effort != "none":
            said = (
                f"Function tools with reasoning_effort are not supported for {body['model']} in /v1/chat/completions. "
                "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
            )
            return error_reply(400, said, param="reasoning_effort")
        return None

    def _refused_messages(self, body: Mapping[str, Any]) -> Reply | None:
        said = _wrong_tools(body) or wrong_messages(body["messages"])
        if said is None and self._strings_only:
            said = not_for_templates(body["messages"])
        if said is None and self._turns is not None and _in_a_row(body["messages"]):
            return error_reply(self._turns, "Conversation roles must alternate user/assistant/user/assistant/...")
        return error_reply(400, said) if said else None


def _in_a_row(messages: Sequence[Mapping[str, Any]]) -> bool:
    return any(one["role"] == other["role"] == "user" for one, other in pairwise(messages))


def answer(
    text: str | None = "Lamp oil, it says (p. 3).",
    *,
    calls: Sequence[Mapping[str, Any]] | None = None,
    finish: str | None = None,
    usage: Mapping[str, Any] | None = None,
    model: str = "gpt-6-luna",
    **message: object,
) -> Reply:
    """A completion; `usage` {} leaves the usage out."""
    counted = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25} if usage is None else usage
    said: dict[str, object] = {"role": "assistant", "content": text, **message}
    if calls is not None:
        said["tool_calls"] = calls
    body: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": said, "finish_reason": finish or ("tool_calls" if calls else "stop")}],
    }
    if counted:
        body["usage"] = counted
    return json_reply(body)


def call(
    arguments: object = '{"query": "lamp oil"}', *, call_id: object = "call_1", name: str = "search_book"
) -> dict[str, Any]:
    """One tool call of a completion."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def error_reply(
    status: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error in OpenAI's shape."""
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return json_reply(body, status=status, headers=headers)


def _refused_embedding(body: Mapping[str, Any]) -> str | None:
    unknown = set(body) - _EMBEDDING_PARAMETERS
    texts = body["input"]
    if unknown:
        return f"Unrecognized request argument supplied: {min(unknown)}"
    if not isinstance(texts, list) or not texts:
        return "'$.input' is invalid."
    if any(not text for text in texts):
        return "'$.input' is invalid: an input cannot be an empty string."
    if len(texts) > 2048 or sum(len(text.encode()) for text in texts) > 300_000:
        return "max 300000 tokens per request"
    if any(len(text.encode()) > 8192 for text in texts):
        return "This model's maximum context length is 8192 tokens"
    return None


def not_for_templates(messages: Sequence[Mapping[str, Any]]) -> str | None:
    for message in messages:
        if not isinstance(message.get("content"), str):
            return "content: expected a string, got null"
        for made in message.get("tool_calls", []):
            if not _is_object(made["function"]["arguments"]):
                return "arguments: expected an object"
    return None


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _wrong_tools(body: Mapping[str, Any]) -> str | None:
    if "tool_choice" in body and not body.get("tools"):
        return "'tool_choice' is only allowed when 'tools' are specified."
    if "tools" in body and not body["tools"]:
        return "Invalid 'tools': empty array. Expected an array with minimum length 1."
    names = [tool["function"]["name"] for tool in body.get("tools", [])]
    return next((f"Invalid 'tools[0].function.name': {name!r}" for name in names if not _NAME.fullmatch(name)), None)


def wrong_messages(messages: Sequence[Mapping[str, Any]]) -> str | None:
    open_ids: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_ids:
                return (
                    f"Invalid parameter: messages[{at}] with role 'tool' must be a response to a preceding message "
                    "with 'tool_calls'."
                )
            open_ids.remove(message["tool_call_id"])
            continue
        if open_ids:
            break
        said = _wrong_message(at, message)
        if said:
            return said
        open_ids = {made["id"] for made in message.get("tool_calls", [])}
    if open_ids:
        return (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(sorted(open_ids))}"
        )
    return None


def _wrong_message(at: int, message: Mapping[str, Any]) -> str | None:
    if message["role"] not in {"system", "user", "assistant"}:
        return f"Invalid value: '{message['role']}'."
    calls = message.get("tool_calls")
    if calls is None:
        # The real API takes an empty assistant content; a model that is shown one often answers with another.
        empty = message["content"] is None or (message["role"] == "assistant" and not message["content"])
        return f"Invalid 'messages[{at}].content': empty." if empty else None
    ids = [made["id"] for made in calls]
    if not ids or len(set(ids)) != len(ids):
        return f"Invalid 'messages[{at}].tool_calls': empty, or the same id twice."
    for made in calls:
        if not 0 < len(made["id"]) <= _LONGEST_ID:
            return f"Invalid 'messages[{at}].tool_calls[0].id': string too long. Expected maximum length 40."
        if not _NAME.fullmatch(made["function"]["name"]) or not isinstance(made["function"]["arguments"], str):
            return f"Invalid 'messages[{at}].tool_calls[0].function.name': does not match '^[a-zA-Z0-9_-]+$'."
    return None
