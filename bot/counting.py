"""Counts of this process's model calls, by provider, model and result."""

from collections import Counter
from collections.abc import Awaitable, Sequence

from core.domain.errors import LLMError
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider


class ModelCalls:
    """Counts calls since the process started; their tokens and cost are stored with their turns."""

    def __init__(self) -> None:
        self.counted: Counter[tuple[str, str, str]] = Counter()

    def of(self, provider: ChatProvider | None) -> ChatProvider | None:
        """Return a provider that counts its calls; None without a provider."""
        return None if provider is None else _Counted(provider, self.counted)


class _Counted(ChatProvider):
    def __init__(self, provider: ChatProvider, counted: Counter[tuple[str, str, str]]) -> None:
        self._provider = provider
        self._counted = counted

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def model(self) -> str:
        return self._provider.model

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return await self._told(self._provider.chat(messages, options), options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self._told(self._provider.chat_with_tools(messages, tools, options), options)

    async def _told(self, call: Awaitable[ChatResponse], options: GenerationOptions | None) -> ChatResponse:
        model = (options.model if options is not None else None) or self._provider.model
        outcome = "cancelled"
        try:
            response = await call
            outcome = "answered"
        except LLMError as error:
            outcome = error.code.value
            raise
        else:
            return response
        finally:
            self._counted[self._provider.name, model, outcome] += 1
