"""Formats what was said before, for prompts that hold it as text and for those that hold it as messages."""

from collections.abc import Sequence
from typing import Final

from core.agent.context import prompt_messages
from core.domain.conversation import ChatMessage, Role
from core.domain.tool_use import PromptMessage

DEFAULT_MAX_TURNS: Final = 3
DEFAULT_MAX_CHARACTERS: Final = 500
_MESSAGES_A_TURN: Final = 2


class ConversationFormatter:
    """The latest turns of a history (conversational-memory.md).

    The history holds what may be told at the position of the answer; nothing is left out here for its page.

    Args:
        max_turns: how many questions with their answers to format.
        max_characters: of each message.
    """

    def __init__(self, max_turns: int = DEFAULT_MAX_TURNS, *, max_characters: int = DEFAULT_MAX_CHARACTERS) -> None:
        self.max_turns = max(max_turns, 0)
        self._max_characters = max_characters

    def format_for_prompt(self, history: Sequence[ChatMessage]) -> str:
        """Return the latest turns, a line a message; empty where nothing was said. Results of tools are left out."""
        said = [message for message in history if message.role is not Role.TOOL_RESULT]
        recent = said[max(len(said) - self.max_turns * _MESSAGES_A_TURN, 0) :]
        return "\n".join(["Previous conversation:", *map(self._line, recent)]) if recent else ""

    def as_messages(self, history: Sequence[ChatMessage]) -> list[PromptMessage]:
        """Return the whole history as a prompt holds it."""
        return list(prompt_messages(history))

    def _line(self, message: ChatMessage) -> str:
        """One line, so that nobody's words, and nobody's name, can pass for another's."""
        return f"{_speaker(message)}: {_one_line(message.content)[: self._max_characters]}"


def _speaker(message: ChatMessage) -> str:
    if message.role is Role.ASSISTANT:
        return "Assistant"
    return f"User ({_one_line(message.author.display_name)})" if message.author else "User"


def _one_line(text: str) -> str:
    return " ".join(text.split())
