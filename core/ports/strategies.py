"""Ports: how passages reach the answer, and what a model sees of a conversation (ADR 18)."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.chat_event import EventSink
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.passage import SearchFn
from core.domain.tool_use import Deadline, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider


class RetrievalStrategy(Protocol):
    """How the passages for an answer are found.

    `quotes_only`: it answers with read text alone and asks no model. The search it is given then shows the pieces that
    were found; otherwise their whole pages, as is best for a model.
    """

    quotes_only: bool = False

    def build_tool_definitions(self) -> list[ToolDefinition]:
        """Return the tools that the model is offered; empty where retrieval is not the model's choice."""

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
        """Answer the last user message; `deadline` is the turn's, which all its model calls share.

        Raises:
            LLMError: there is no answer.
        """


class ConversationContextStrategy(Protocol):
    """What of a conversation goes into a prompt."""

    def build_context(
        self, messages: list[ChatMessage], system_prompt: str, *, window: int | None = None
    ) -> list[PromptMessage]:
        """Return prompt messages, the system prompt first; `window` turns of history, where the asker says how many."""
