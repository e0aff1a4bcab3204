"""A model whose calls take until a test lets them go, or until somebody gives them up."""

import asyncio
from collections.abc import Sequence

from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider
from tests.patience import PATIENCE_S


class HeldModel(ChatProvider):
    """Gives the answers in order, each once `release` is called; `given_up` counts the calls that were cancelled."""

    def __init__(self, *answers: ChatResponse) -> None:
        self._answers = list(answers)
        self._may_go = asyncio.Semaphore(0)
        self._called = asyncio.Condition()
        self.calls = 0
        self.given_up = 0
        self.was_given_up = asyncio.Event()

    @property
    def name(self) -> str:
        return "held"

    @property
    def model(self) -> str:
        return "held-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        async with self._called:
            self.calls += 1
            self._called.notify_all()
        try:
            await self._may_go.acquire()
        except asyncio.CancelledError:
            self.given_up += 1
            self.was_given_up.set()
            raise
        return self._answers.pop(0)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)

    def release(self) -> None:
        """Let one call go on."""
        self._may_go.release()

    async def was_called(self, times: int = 1) -> None:
        """Wait for so many calls."""
        async with asyncio.timeout(PATIENCE_S), self._called:
            await self._called.wait_for(lambda: self.calls >= times)
