"""Reads responses of Anthropic's Messages API from plain JSON, since the SDK's models accept values of any type."""

import logging
import math
from dataclasses import dataclass
from typing import Any, Final

from adapters.llm.arguments import readable_arguments
from core.domain.clean_text import clean
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, StopReason, TokenUsage, ToolInvocation

Json = dict[str, Any]

_STOP_REASONS: Final = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
    "pause_turn": StopReason.OTHER,
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnthropicState:
    """An assistant turn with tool use, in its original blocks: thinking blocks are signed and must not change.

    `invocations` and `preamble` were read from the blocks. A prompt that differs from them (redacted arguments, say)
    takes precedence over the blocks.
    """

    blocks: tuple[Json, ...]
    invocations: tuple[ToolInvocation, ...]
    preamble: str


def read_answer(payload: object, *, tools_offered: bool) -> ChatResponse:
    """Return the response in a response body.

    Raises:
        LLMError: no usable answer (`bad_response`), a refusal without text (`refused`), or `context_too_long`; with its
            usage, since it is billed all the same.
    """
    message = _message(payload)
    usage = _usage(message.get("usage"))
    try:
        return _answer(message, usage, tools_offered=tools_offered)
    except LLMError as error:
        error.usage = usage
        raise


def read_model(payload: object) -> str:
    """Return the model that made a response, whatever its content. Raises LLMError (`bad_response`)."""
    return str(_message(payload).get("model") or "an unnamed model")


def sendable(value: object) -> object:
    """Return JSON without what can't be sent or stored: lone surrogates, NaN and infinity."""
    if isinstance(value, str):
        return value if value.isascii() else clean(value)
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [sendable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _message(payload: object) -> Json:
    try:
        cleaned = sendable(payload)
    except RecursionError:
        raise _unusable("a message that is nested too deeply") from None
    if not isinstance(cleaned, dict) or not isinstance(cleaned.get("content"), list):
        raise _unusable("something other than a message")
    if not all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in cleaned["content"]):
        raise _unusable("a content block without a type")
    return cleaned


def _answer(message: Json, usage: TokenUsage | None, *, tools_offered: bool) -> ChatResponse:
    stop_reason = _stop_reason(message.get("stop_reason"))
    blocks = [_without_nulls(block) for block in message["content"] if _is_worth_keeping(block)]
    text = "".join(str(block.get("text", "")) for block in blocks if block["type"] == "text")
    invocations = tuple(_invocation(block) for block in blocks if block["type"] == "tool_use")
    model = str(message.get("model") or "") or None
    if stop_reason is StopReason.REFUSAL:
        if not text.strip():
            raise LLMError(LLMErrorCode.REFUSED, f"anthropic: the model refused ({_refusal_category(message)})")
        return ChatResponse(text=text, usage=usage, stop_reason=stop_reason, model=model)
    fitting = {StopReason.TOOL_USE, StopReason.LENGTH} if invocations else set(StopReason) - {StopReason.TOOL_USE}
    if stop_reason not in fitting:
        raise _unusable(f"stop_reason {stop_reason} with {len(invocations)} tool calls")
    if stop_reason is StopReason.OTHER:
        _log.warning("Anthropic stopped with %s; the partial answer is used.", message["stop_reason"])
    if not invocations:
        if not text.strip():
            raise _unusable(f"an empty answer, stop_reason {message['stop_reason']}")
        return ChatResponse(text=text, usage=usage, stop_reason=stop_reason, model=model)
    if not tools_offered:
        raise _unusable("tool use where no tool was offered")
    return ChatResponse(
        tool_invocations=invocations,
        preamble=text.strip() or None,
        usage=usage,
        stop_reason=stop_reason,
        provider_state=AnthropicState(tuple(blocks), invocations, text.strip()),
        model=model,
    )


def _stop_reason(name: object) -> StopReason:
    if name == "model_context_window_exceeded":
        raise LLMError(LLMErrorCode.CONTEXT_TOO_LONG, "anthropic: the answer did not fit into the context window")
    if not isinstance(name, str) or name not in _STOP_REASONS:
        raise _unusable(f"stop_reason {str(name)[:40]!r}")
    return _STOP_REASONS[name]


def _is_worth_keeping(block: Json) -> bool:
    return block["type"] != "text" or bool(str(block.get("text", "")).strip())


def _without_nulls(block: Json) -> Json:
    """Return a block without null fields: the API may return them, but doesn't accept all of them."""
    return {name: value for name, value in block.items() if value is not None}


def _invocation(block: Json) -> ToolInvocation:
    name, invocation_id = block.get("name"), block.get("id")
    if not (isinstance(name, str) and name and isinstance(invocation_id, str) and invocation_id):
        raise _unusable("a tool call without a name or an id")
    block["input"] = readable_arguments(block.get("input"))
    return ToolInvocation(tool_name=name, arguments=block["input"], invocation_id=invocation_id)


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _usage(usage: object) -> TokenUsage | None:
    if not isinstance(usage, dict):
        return None
    fresh, output, read, written = (
        _count(usage.get(key))
        for key in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    return TokenUsage(
        input_tokens=fresh + read + written,
        output_tokens=output,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _refusal_category(message: Json) -> str:
    details = message.get("stop_details")
    return str(details.get("category") or "no category") if isinstance(details, dict) else "no category"


def _unusable(what: str) -> LLMError:
    return LLMError(LLMErrorCode.BAD_RESPONSE, f"anthropic sent {what}")
