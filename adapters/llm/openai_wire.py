"""Builds Chat Completions requests from prompt, tools and options; the same prompt gives the same bytes.

Used by `adapters/llm/openai.py`. The form suits the strictest server: every tool call has its result, every result its
call, ids are unique, no content is null. `openai_answer.py` reads the responses.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.domain.tool_use import GenerationOptions, PromptMessage, ToolChoice, ToolDefinition, ToolInvocation
from core.language.sentences import encodable

REASONING: Final = "reasoning_effort"
ANSWER_FORM: Final = "response_format"
TURNS: Final = "messages"
"""The lesson that roles must alternate, as some local templates (Mistral's, Gemma's) demand."""

_LONGEST_ID: Final = 40
_LONGEST_NAME: Final = 64
_UNUSUAL: Final = re.compile(r"[^a-zA-Z0-9_-]")
_UNSUPPORTED: Final = re.compile(
    r"not supported|unsupported|does not support|unrecognized|unknown (parameter|field)|extra (inputs|fields)"
    r"|not permitted|only the default",
    re.IGNORECASE,
)
_OF_THE_FORM: Final = re.compile(r"response_format|json_schema|structured output|grammar", re.IGNORECASE)
_ALTERNATE: Final = re.compile(r"roles must alternate|alternat\w+ (?:between )?user", re.IGNORECASE)
_TOKEN_LIMITS: Final = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_ADAPTABLE: Final = (REASONING, "temperature", "prompt_cache_key", "max_completion_tokens", "max_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The form of a request for one server: OpenAI's own, or a compatible one."""

    native: bool
    default_max_tokens: int

    def request(
        self,
        *,
        model: str,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions,
    ) -> dict[str, Any]:
        """Return the whole request; parts that stay the same between calls come first."""
        wired = wire_messages(messages)
        request: dict[str, Any] = {"model": model, "messages": wired}
        if tools:
            request["tools"] = [_tool(tool) for tool in tools]
            if options.tool_choice is ToolChoice.NONE:
                request["tool_choice"] = "none"
        limit = options.max_tokens if options.max_tokens is not None else self.default_max_tokens
        request["max_completion_tokens" if self.native else "max_tokens"] = limit
        if options.temperature is not None:
            request["temperature"] = options.temperature
        # A compatible server may handle it slowly or badly, so its models answer in their own form.
        if self.native and options.answer_schema is not None:
            request[ANSWER_FORM] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(options.answer_schema)},
            }
        if self.native:
            request["prompt_cache_key"] = _cache_key(wired, request.get("tools", []))
        return request


def refused_parameter(body: object, sent: Mapping[str, Any]) -> str | None:
    """Return the parameter that a refusal is about, if the request can do without it or rewrite it; else None."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    details = inner if isinstance(inner, dict) else {}
    said = json.dumps(inner, default=str)
    if _ALTERNATE.search(said):
        return TURNS
    if ANSWER_FORM in sent and _OF_THE_FORM.search(said):
        return ANSWER_FORM
    if not _UNSUPPORTED.search(said):
        return None
    if details.get("param") in _ADAPTABLE:
        named = str(details["param"])
    else:
        named = next((name for name in _ADAPTABLE if re.search(rf"\b{name}\b", said)), "")
    return named if named in sent or (named == REASONING and "tools" in sent) else None


def adapted(request: Mapping[str, Any], lessons: Iterable[str]) -> dict[str, Any]:
    """Return the request for a server that has refused these parameters before."""
    result = dict(request)
    for lesson in lessons:
        if lesson == REASONING:
            # OpenAI's reasoning models accept function tools over Chat Completions only with reasoning switched off.
            if "tools" in result:
                result[REASONING] = "none"
        elif lesson == TURNS:
            result[TURNS] = alternating(result[TURNS])
        elif lesson in _TOKEN_LIMITS and lesson in result:
            result[_TOKEN_LIMITS[lesson]] = result.pop(lesson)
        else:
            result.pop(lesson, None)
    return result


def wire_messages(messages: Sequence[PromptMessage]) -> list[dict[str, Any]]:
    """Return the messages; calls without a result, results without a call and empty answers are left out."""
    wired: list[dict[str, Any]] = []
    used_ids: set[str] = set()
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message.role in {"system", "user"}:
            wired.append({"role": message.role, "content": encodable(message.said)})
        elif message.role == "assistant":
            results = _results_after(messages, at)
            at += len(results)
            wired.extend(_assistant_turn(message, results, used_ids, number=len(wired)))
    return wired


def alternating(wired: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with consecutive user messages merged."""
    turns: list[dict[str, Any]] = []
    for message in wired:
        if turns and message["role"] == turns[-1]["role"] == "user":
            turns[-1] = {"role": "user", "content": f"{turns[-1]['content']}\n\n{message['content']}"}
        else:
            turns.append(dict(message))
    return turns


def _results_after(messages: Sequence[PromptMessage], start: int) -> list[PromptMessage]:
    end = start
    while end < len(messages) and messages[end].role == "tool_result":
        end += 1
    return list(messages[start:end])


def _assistant_turn(
    message: PromptMessage, results: list[PromptMessage], used_ids: set[str], *, number: int
) -> Iterable[dict[str, Any]]:
    calls, answers = [], []
    for place, invocation in enumerate(message.tool_invocations):
        result = next((result for result in results if result.invocation_id == invocation.invocation_id), None)
        if result is None:
            continue
        results.remove(result)
        wire_id = _wire_id(invocation.invocation_id, used_ids, fallback=f"call_{number}_{place}")
        calls.append(_call(invocation, wire_id))
        answers.append({"role": "tool", "tool_call_id": wire_id, "content": encodable(result.content)})
    content = encodable(message.content)
    if calls:
        # Compatible servers fail on null here; the real API accepts "" as well.
        yield {"role": "assistant", "content": content, "tool_calls": calls}
        yield from answers
    elif content:
        yield {"role": "assistant", "content": content}


def _wire_id(invocation_id: str, used_ids: set[str], *, fallback: str) -> str:
    """Return the id; or, if it is empty, too long or a duplicate, one made of its position.

    The position doesn't change as a turn's prompt grows, so the bytes stay the same too.
    """
    wire_id = encodable(invocation_id)
    while not wire_id or len(wire_id) > _LONGEST_ID or wire_id in used_ids:
        wire_id, fallback = fallback, f"{fallback}_"
    used_ids.add(wire_id)
    return wire_id


def _call(invocation: ToolInvocation, wire_id: str) -> dict[str, Any]:
    # A name that a model invented is changed to a valid form, or the next request would be refused.
    name = _UNUSUAL.sub("_", invocation.tool_name)[:_LONGEST_NAME] or "unnamed"
    arguments = json.dumps(invocation.arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {"id": wire_id, "type": "function", "function": {"name": name, "arguments": encodable(arguments)}}


def _tool(tool: ToolDefinition) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _cache_key(wired: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> str:
    """Return a key for requests with the same beginning, so that OpenAI routes them to the same cache."""
    system = [message["content"] for message in wired if message["role"] == "system"]
    beginning = json.dumps([system, tools], sort_keys=True)
    return f"thusfar-{hashlib.sha256(beginning.encode()).hexdigest()[:24]}"
