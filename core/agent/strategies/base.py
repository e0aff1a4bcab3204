"""What all retrieval strategies share: the seeds' `execute` as a thin face of `run`, and the question of a prompt."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from core.domain.chat_event import EventSink
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.deadline import TurnLimits
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider
from core.ports.strategies import RetrievalStrategy, SearchFn


class ThinRetrievalStrategy(RetrievalStrategy):
    """A strategy that only has to say how it runs.

    Args:
        options: of every model call.
        limits: what a turn may spend on its calls together.
    """

    def __init__(self, *, options: GenerationOptions | None = None, limits: TurnLimits | None = None) -> None:
        self._options = options or GenerationOptions()
        self._limits = limits or TurnLimits()

    def options_of_turn(self) -> GenerationOptions:
        """Return the options with the budget of a turn that begins now."""
        return replace(self._options, deadline=self._limits.deadline())

    def build_tool_definitions(self) -> list[ToolDefinition]:
        """Return no tools: retrieval is not the model's choice."""
        return []

    @abstractmethod
    async def run(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Answer the last user message."""

    async def execute(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
    ) -> tuple[str, list[ChatMessage]]:
        """Return the text and the tool-result messages of `run`."""
        outcome = await self.run(chat_provider, messages, tools, search_fn, on_event)
        return outcome.text, list(outcome.messages)


def question_of(messages: Sequence[PromptMessage]) -> str:
    """Return the last user message of a prompt; empty where there is none."""
    return next((message.content for message in reversed(messages) if message.role == "user"), "")
