"""Port: a chat model."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition


class ChatProvider(Protocol):
    """One model of a provider. Adapters raise LLMError, and send only options that the model accepts."""

    @property
    def name(self) -> str:
        """The provider's name in settings and records, for example `anthropic`."""

    @property
    def model(self) -> str:
        """The name of the model that answers unless the options name another."""

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Ask without tools.

        Raises:
            LLMError: no usable answer; an empty one is `bad_response`.
        """

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Ask with tools on offer; an empty list is the same as `chat`.

        Raises:
            LLMError: no usable answer; an empty one is `bad_response`.
        """
