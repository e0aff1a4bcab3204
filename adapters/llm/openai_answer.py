"""Reads responses of Chat Completions, from OpenAI and from more or less compatible servers.

Used by `adapters/llm/openai.py`. It reads plain JSON, since the SDK's models accept values of any type.
"""

import json
import logging
import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from adapters.llm.arguments import readable_arguments
from adapters.llm.faults import redacted
from core.domain.clean_text import clean
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, StopReason, TokenUsage, ToolInvocation

_log = logging.getLogger(__name__)

_LONGEST_ID: Final = 40
_SHOWN: Final = 60
_THOUGHT: Final = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
_BEGINS_TO_THINK: Final = re.compile(r"\A\s*<think(?:ing)?>")
_STOPPED: Final = ("stop", "tool_calls", "function_call")


def read_json(content: bytes) -> object:
    """Return the JSON value of a body.

    Raises:
        LLMError: the body is no JSON, usually a page of a proxy or of a web interface.
        ValueError: it is nested too deeply.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("the body is nested too deeply") from None
    except ValueError:
        begins = redacted(content[:_SHOWN].decode("utf-8", "replace"), [])
        _unusable(f"no JSON, but {begins!r}; the base URL is that of the API, such as http://localhost:11434/v1")


def read_answer(body: object, *, tools_offered: bool) -> ChatResponse:
    """Return the model's answer.

    Raises:
        LLMError: a refusal, or an unusable answer; with its usage, since it is billed all the same.
    """
    try:
        return _answer(body, tools_offered=tools_offered)
    except LLMError as error:
        error.usage = read_usage(body)
        raise


def read_choice(body: object) -> Mapping[str, Any]:
    """Return the first choice. Raises LLMError if there is none."""
    choices = _mapping(body).get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        # Some gateways answer 200 with an error in place of choices.
        said = _mapping(body).get("error")
        _unusable(f"no choices{f', but an error: {said}' if said else ''}")
    return choices[0]


def read_model(body: object) -> str | None:
    """Return the model that answered, if the server says so."""
    model = _mapping(body).get("model")
    return model if isinstance(model, str) and model else None


def read_usage(body: object) -> TokenUsage | None:
    """Return the token counts; `prompt_tokens` includes cached ones, as TokenUsage does. None if there are none."""
    usage = _mapping(body).get("usage")
    if not isinstance(usage, dict):
        return None
    details = _mapping(usage.get("prompt_tokens_details"))
    return TokenUsage(
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        cache_read_tokens=_count(details.get("cached_tokens")),
        cache_write_tokens=_count(details.get("cache_write_tokens")),
    )


def _answer(body: object, *, tools_offered: bool) -> ChatResponse:
    choice = read_choice(body)
    message = _mapping(choice.get("message"))
    finish = choice.get("finish_reason")
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    if finish == "content_filter" or (isinstance(refusal, str) and refusal):
        raise LLMError(LLMErrorCode.REFUSED, f"finish reason {finish}: {str(refusal or 'filtered')[:200]}")
    if not isinstance(finish, str):
        _unusable(f"finish reason {str(finish)[:40]!r}")
    if finish not in _STOPPED and finish != "length":
        _log.warning("An answer ended for an unknown reason: %r", finish[:40])
    invocations = _invocations(message) if tools_offered else ()
    if not text and not invocations:
        _unusable(f"an empty answer (finish reason {finish})")
    return ChatResponse(
        text=None if invocations else text,
        tool_invocations=invocations,
        preamble=text or None if invocations else None,
        usage=read_usage(body),
        # Some servers say `stop` although there are calls.
        stop_reason=_stop_reason(finish, has_calls=bool(invocations)),
        model=read_model(body),
    )


def _stop_reason(finish: str, *, has_calls: bool) -> StopReason:
    if finish == "length":
        return StopReason.LENGTH
    if has_calls:
        return StopReason.TOOL_USE
    return StopReason.END if finish in _STOPPED else StopReason.OTHER


def _unusable(what: str) -> NoReturn:
    raise LLMError(LLMErrorCode.BAD_RESPONSE, f"the answer cannot be used: {what}"[:300])


def _text(content: object) -> str:
    """Return the text of a content (a string or a list of parts) without a local model's leading thoughts.

    If the model's template starts the thought, only its end mark appears in the text.
    """
    if isinstance(content, list):
        content = "".join(part for item in content if isinstance(part := _mapping(item).get("text"), str))
    if not isinstance(content, str):
        return ""
    text = _THOUGHT.sub("", clean(content), count=1)
    # A thought without an end is no answer.
    return "" if _BEGINS_TO_THINK.match(text) else text.strip()


def _invocations(message: Mapping[str, Any]) -> tuple[ToolInvocation, ...]:
    seen: set[str] = set()
    return tuple(_invocation(call, seen) for call in _calls(message))


def _calls(message: Mapping[str, Any]) -> Iterable[tuple[object, Mapping[str, Any]]]:
    """Yield the id and function of each call, in one form for the current and the former API."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        one = _mapping(call)
        yield one.get("id"), _mapping(one.get("function") or one.get("custom"))
    if not calls and isinstance(message.get("function_call"), dict):
        yield None, message["function_call"]


def _invocation(call: tuple[object, Mapping[str, Any]], seen: set[str]) -> ToolInvocation:
    given_id, function = call
    invocation_id = given_id if isinstance(given_id, str) else ""
    if not invocation_id or len(invocation_id) > _LONGEST_ID or invocation_id in seen:
        # Some local servers send "" or the same id for every call.
        invocation_id = f"call_{uuid.uuid4().hex[:24]}"
    seen.add(invocation_id)
    name = function.get("name")
    return ToolInvocation(
        tool_name=clean(name) if isinstance(name, str) else "",
        arguments=readable_arguments(function.get("arguments")),
        invocation_id=clean(invocation_id),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
