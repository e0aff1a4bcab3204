"""Strategies and a search function for tests that are about something else."""

import asyncio
from collections.abc import Sequence

from core.domain.chat_event import EventSink
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.passage import SearchFn, SearchResult
from core.domain.tool_use import Deadline, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy


class CannedSearch:
    """A search function: gives the passages it was made with, whatever the query, and keeps what it was asked."""

    def __init__(self, *passages: SearchResult) -> None:
        self._passages = list(passages)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        self.asked.append((query, top_k))
        return self._passages[:top_k]


class HeldRetrievalStrategy(RetrievalStrategy):
    """Echoes the question, but only once the test lets it: `began` lists the questions that have come in."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []
        self._arrived: dict[str, asyncio.Event] = {}
        self._released: dict[str, asyncio.Event] = {}
        self._error: Exception | None = None

    async def until_began(self, question: str) -> None:
        await self._arrived.setdefault(question, asyncio.Event()).wait()

    def release(self, *questions: str) -> None:
        for question in questions:
            self._released.setdefault(question, asyncio.Event()).set()

    def fail_with(self, error: Exception) -> None:
        self._error = error

    def build_tool_definitions(self) -> list[ToolDefinition]:
        return []

    async def run(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
        *,
        deadline: Deadline | None = None,
    ) -> TurnOutcome:
        question = messages[-1].content
        self.began.append(question)
        self._arrived.setdefault(question, asyncio.Event()).set()
        await self._released.setdefault(question, asyncio.Event()).wait()
        if self._error is not None:
            raise self._error
        self.ended.append(question)
        return TurnOutcome(text=f"You asked: {question}", provider=chat_provider.name)


class LastMessageContextStrategy(ConversationContextStrategy):
    """The system prompt and the question, no history; `seen` keeps the history that it was given each time."""

    def __init__(self) -> None:
        self.seen: list[list[ChatMessage]] = []

    def build_context(
        self, messages: list[ChatMessage], system_prompt: str, *, window: int | None = None
    ) -> list[PromptMessage]:
        self.seen.append(messages)
        question = PromptMessage(role="user", content=messages[-1].content)
        return [PromptMessage(role="system", content=system_prompt), question]
