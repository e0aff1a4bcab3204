"""Puts a prompt of one system and one user message together, part by part (conversational-memory.md)."""

from collections.abc import Sequence
from typing import Self

from core.agent.conversation_formatter import ConversationFormatter
from core.agent.tools.search_book import format_passages
from core.domain.conversation import ChatMessage
from core.domain.passage import SearchResult


class PromptBuilder:
    """Each `with_` adds one part to the user message, in the order of the calls; a part that is empty adds nothing.

    Args:
        system_base: the system prompt, rendered.
    """

    def __init__(self, system_base: str) -> None:
        self._system = system_base
        self._user_parts: list[str] = []

    def with_conversation(self, formatter: ConversationFormatter, history: Sequence[ChatMessage]) -> Self:
        """Add what was said before."""
        return self._with(formatter.format_for_prompt(history))

    def with_retrieval_context(self, passages: Sequence[SearchResult]) -> Self:
        """Add passages, each under its `[Pages X-Y]` label."""
        return self._with(f"Retrieved context:\n{format_passages(tuple(passages))}" if passages else "")

    def with_query(self, query: str, label: str = "Question") -> Self:
        """Add what is asked now."""
        return self._with(f"{label}: {query}")

    def with_note(self, note: str) -> Self:
        """Add something that the model should mind."""
        return self._with(f"Note: {note}")

    def build(self) -> tuple[str, str]:
        """Return the system message and the user message."""
        return self._system, "\n\n".join(self._user_parts)

    def _with(self, part: str) -> Self:
        if part:
            self._user_parts.append(part)
        return self
