"""Stands where no model is configured."""

from collections.abc import Sequence

from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider


class NoChatProvider(ChatProvider):
    """Says honestly that there is no model; the quoting answer never asks it."""

    @property
    def name(self) -> str:
        """`none`, as settings and records name it."""
        return "none"

    @property
    def model(self) -> str:
        """No model has no name."""
        return ""

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Raise LLMError(unavailable)."""
        raise LLMError(LLMErrorCode.UNAVAILABLE, "no model is configured")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Raise LLMError(unavailable)."""
        raise LLMError(LLMErrorCode.UNAVAILABLE, "no model is configured")
