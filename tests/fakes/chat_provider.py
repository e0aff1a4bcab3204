"""A model that answers from a script and keeps what it was asked, and one that agrees to all that is checked."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.errors import LLMError
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider

_NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)
_SHOWN = re.compile(r"^\[p\. (\d+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call as it came in; `tools` is None for a call without tools."""

    messages: tuple[PromptMessage, ...]
    tools: tuple[ToolDefinition, ...] | None
    options: GenerationOptions | None


class ScriptedChatProvider(ChatProvider):
    """Gives the scripted answers in order; a call beyond the script, or an answer left over, fails the test."""

    def __init__(self, *script: ChatResponse | LLMError, model: str = "scripted-1") -> None:
        self._script = list(script)
        self._model = model
        self.asked: list[Asked] = []
        self._was_asked = asyncio.Event()

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return self._model

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return self._next(Asked(messages=tuple(messages), tools=None, options=options))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        if not tools:
            return await self.chat(messages, options)
        return self._next(Asked(messages=tuple(messages), tools=tuple(tools), options=options))

    async def was_asked(self) -> None:
        """Wait for the first call."""
        await self._was_asked.wait()

    def done(self) -> None:
        """Fail where the script was not played to its end."""
        assert not self._script, f"{len(self._script)} scripted answers were never asked for"

    def _next(self, asked: Asked) -> ChatResponse:
        self.asked.append(asked)
        self._was_asked.set()
        assert self._script, f"call {len(self.asked)} is beyond the script"
        answer = self._script.pop(0)
        if isinstance(answer, LLMError):
            raise answer
        return answer


class AgreeingChatProvider(ChatProvider):
    """A verifier that bears every sentence out, and a scope judge to whom every message is the club's business."""

    @property
    def name(self) -> str:
        return "agreeing"

    @property
    def model(self) -> str:
        return "agreeing-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return ChatResponse(text=agreed(messages[-1].content))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        raise AssertionError("whoever checks an answer or a message has no tools")


def agreed(asked: str) -> str:
    """What bears out all that a verifier or a scope judge is asked about, by the first page that is shown."""
    pages, is_verifying, sentences = asked.rpartition("Sentences:\n")
    if not is_verifying:
        return "90 in scope"
    shown = _SHOWN.search(pages)
    verdict = f"SUPPORTED p{shown[1]}" if shown else "OPINION"
    return "\n".join(f"{each} {verdict}" for each in _NUMBERED.findall(sentences))
