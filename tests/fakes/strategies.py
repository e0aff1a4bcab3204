"""Strategies and a search function for tests that are about something else."""

import asyncio

from core.answering.context import SummarisingContextStrategy
from core.answering.strategies import RetrievalStrategy
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.passage import SearchResult
from core.domain.question import Question
from core.domain.tool_use import PromptMessage
from core.ports.chat_provider import ChatProvider


class CannedSearch:
    """A search function that returns fixed passages for every query and records the queries."""

    def __init__(self, *passages: SearchResult) -> None:
        self._passages = list(passages)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        self.asked.append((query, top_k))
        return self._passages[:top_k]


class HeldRetrievalStrategy(RetrievalStrategy):
    """Echoes the question once the test releases it. `began` lists the questions received."""

    def __init__(self) -> None:
        super().__init__()
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

    async def run(self, provider: ChatProvider, question: Question, *_args: object, **_kwargs: object) -> TurnOutcome:
        self.began.append(question.text)
        self._arrived.setdefault(question.text, asyncio.Event()).set()
        await self._released.setdefault(question.text, asyncio.Event()).wait()
        if self._error is not None:
            raise self._error
        self.ended.append(question.text)
        return TurnOutcome(text=f"You asked: {question.text}", provider=provider.name)


class LastMessageContextStrategy(SummarisingContextStrategy):
    """Builds a prompt without history. `seen` records the messages of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[list[ChatMessage]] = []

    def build_context(
        self, messages: list[ChatMessage], system_prompt: str, *, window: int | None = None
    ) -> list[PromptMessage]:
        self.seen.append(messages)
        question = PromptMessage(role="user", content=messages[-1].content)
        return [PromptMessage(role="system", content=system_prompt), question]
