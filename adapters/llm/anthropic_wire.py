"""Builds requests for Anthropic's Messages API from prompts and tools, with cache marks."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, cast

from adapters.llm.anthropic_answer import AnthropicState, Json, sendable
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import PromptMessage, ToolChoice, ToolDefinition, ToolInvocation

EARLIER_LEFT_OUT: Final = "(Earlier messages are left out.)"
GO_ON: Final = "(Please go on.)"
NO_RESULT: Final = "(This result is no longer available.)"
_CACHE_MARK: Final = {"type": "ephemeral"}
_MARKABLE: Final = frozenset({"text", "tool_use", "tool_result"})


def request_body(
    messages: Sequence[PromptMessage], tools: Sequence[ToolDefinition], choice: ToolChoice = ToolChoice.AUTO
) -> Json:
    """Return `system`, `messages`, `tools` and `tool_choice` of a request, as far as there are any.

    Stable parts carry a cache mark: the last tool, the system prompt, the end of the history before the newest
    question, and, during tool use, the newest results, which the turn's next call reads again. (Not with tool choice
    none: that is a turn's last call, and another choice reads no messages from the cache.)

    Raises:
        LLMError: the prompt has no question (`bad_response`).
    """
    conversation = _WireConversation()
    for message in messages:
        conversation.add(message)
    system = _text_blocks(message.content for message in messages if message.role == "system")
    offered = [to_provider_format(tool) for tool in tools] or conversation.stand_in_tools()
    newest = conversation.turns[-1]["content"][-1] if conversation.turns else {}
    running = bool(tools) and choice is ToolChoice.AUTO and newest.get("type") == "tool_result"
    for block in (*offered[-1:], *system[-1:], conversation.history_end, newest if running else None):
        if block is not None and block.get("type", "text") in _MARKABLE:
            block["cache_control"] = _CACHE_MARK
    body: Json = {"messages": conversation.finished()}
    if system:
        body["system"] = system
    if offered:
        body["tools"] = offered
        body["tool_choice"] = {"type": "auto" if tools and choice is ToolChoice.AUTO else "none"}
    return cast("Json", sendable(body))


def to_provider_format(tool: ToolDefinition) -> Json:
    """Return a tool in this API's format."""
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


class _WireConversation:
    """Builds messages that alternate, start with the user, and answer each tool use in the next user message."""

    def __init__(self) -> None:
        self.turns: list[Json] = []
        self.history_end: Json | None = None
        self._last_block: Json | None = None
        self._waiting: dict[str, list[Json]] = {}
        self._ids: set[str] = set()
        self._tool_names: set[str] = set()

    def add(self, message: PromptMessage) -> None:
        if message.role == "tool_result":
            self._fill_in_result(message)
        elif message.role == "user":
            blocks = _text_blocks([message.said])
            if blocks:
                self.history_end = self._last_block
            self._append("user", blocks)
        elif message.role == "assistant" and message.tool_invocations:
            self._append_tool_use(message)
        elif message.role == "assistant":
            self._append("assistant", _text_blocks([message.content]))

    def finished(self) -> list[Json]:
        """Return the messages; if the last is an answer, ask to continue it, since models refuse prefilled answers."""
        if not self.turns:
            raise LLMError(LLMErrorCode.BAD_RESPONSE, "anthropic: the prompt asks nothing")
        if self.turns[-1]["role"] == "assistant":
            self._append("user", _text_blocks([GO_ON]))
        return self.turns

    def stand_in_tools(self) -> list[Json]:
        """Return definitions for past tools, with tool choice none: the API refuses tool blocks without definitions."""
        return [{"name": name, "input_schema": {"type": "object"}} for name in sorted(self._tool_names)]

    def _append(self, role: str, blocks: list[Json]) -> None:
        if not blocks:
            return
        if not self.turns and role == "assistant":
            self._append("user", _text_blocks([EARLIER_LEFT_OUT]))
        if self.turns and self.turns[-1]["role"] == role:
            self.turns[-1]["content"].extend(blocks)
        else:
            self.turns.append({"role": role, "content": blocks})
        self._last_block = blocks[-1]

    def _append_tool_use(self, message: PromptMessage) -> None:
        """Append the tool calls with a placeholder for each result; a missing result stays an error."""
        state = message.provider_state
        if (
            isinstance(state, AnthropicState)
            and state.invocations == message.tool_invocations
            and state.preamble == message.content.strip()
            and self._is_sendable(uses := [block for block in state.blocks if block["type"] == "tool_use"])
        ):
            blocks = list(state.blocks)
        else:
            uses = [self._tool_use(invocation) for invocation in message.tool_invocations]
            blocks = [*_text_blocks([message.content]), *uses]
        self._ids.update(use["id"] for use in uses)
        self._tool_names.update(use["name"] for use in uses)
        results = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": NO_RESULT, "is_error": True} for use in uses
        ]
        self._append("assistant", blocks)
        self._append("user", results)
        self._waiting.update({invocation.invocation_id: [] for invocation in message.tool_invocations})
        for invocation, result in zip(message.tool_invocations, results, strict=True):
            self._waiting[invocation.invocation_id].append(result)

    def _is_sendable(self, uses: Sequence[Json]) -> bool:
        """Whether the API accepts these blocks again: compatible servers send duplicate ids or invalid names."""
        ids = [use["id"] for use in uses]
        plain = all(_plain(word, "") == word for use in uses for word in (use["id"], use["name"]))
        return plain and len(set(ids)) == len(ids) and self._ids.isdisjoint(ids)

    def _tool_use(self, invocation: ToolInvocation) -> Json:
        """Return a tool_use block with a valid, unique id: ids may come from another provider or from storage."""
        plain = _plain(invocation.invocation_id, "call")
        unique = plain if plain not in self._ids else f"{plain}-{len(self._ids)}"
        self._ids.add(unique)
        name = _plain(invocation.tool_name, "tool")[:128]
        return {"type": "tool_use", "id": unique, "name": name, "input": invocation.arguments}

    def _fill_in_result(self, message: PromptMessage) -> None:
        """Put a result in its placeholder; a result without a call in the prompt is left out."""
        waiting = self._waiting.get(message.invocation_id)
        if not waiting:
            return
        result = waiting.pop(0)
        result["content"] = message.content
        if not message.is_error:
            del result["is_error"]


def _text_blocks(texts: Iterable[str]) -> list[Json]:
    """Return the texts as blocks, without blank ones, which the API refuses."""
    return [{"type": "text", "text": text} for text in texts if text.strip()]


def _plain(name: str, otherwise: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name) or otherwise
