"""A long thread's context: the latest messages whole, and a running summary of what was cut.

The summary is made of what members asked and how each answer began, from messages that the position allows: no model
writes it, nothing of it is kept, and a position that goes back leaves out whatever lies beyond it.
"""

from collections.abc import Sequence
from typing import Final

from core.agent.context import DEFAULT_MAX_MESSAGES, prompt_messages
from core.domain.conversation import ChatMessage, Role
from core.domain.tool_use import PromptMessage
from core.ports.strategies import ConversationContextStrategy
from core.text.sentences import sentences

MOST_LOOKED_AT: Final = 200
"""Messages of a conversation that are looked at for its context."""
_STEP_SHARE: Final = 2
_MOST_EXCHANGES: Final = 12
_LONGEST_QUESTION: Final = 160
_LONGEST_ANSWER: Final = 240
_HEADING: Final = "Earlier in this thread, in short:"


class SummarisingContextStrategy(ConversationContextStrategy):
    """Cuts in steps of half a window, so that a prompt begins as the one before for several turns and is cached."""

    def __init__(self, *, max_messages: int = DEFAULT_MAX_MESSAGES) -> None:
        self._max_messages = max(max_messages, 1)  # the question itself is never cut
        self._step = max(self._max_messages // _STEP_SHARE, 1)

    def build_context(self, messages: list[ChatMessage], system_prompt: str) -> list[PromptMessage]:
        """Return the system prompt, what was said before in short, and the latest messages, at most `max_messages`."""
        cut = self._cut(messages)
        summary = _summary(messages[:cut])
        return [
            PromptMessage(role="system", content=system_prompt),
            *([PromptMessage(role="user", content=summary)] if summary else []),
            *prompt_messages(messages[cut:]),
        ]

    def _cut(self, messages: Sequence[ChatMessage]) -> int:
        """Return how many messages are cut: whole steps, and on to where somebody asks, so that no answer hangs."""
        too_many = len(messages) - self._max_messages
        if too_many <= 0:
            return 0
        cut = min(-(-too_many // self._step) * self._step, len(messages) - 1)
        asked = (at for at in range(cut, len(messages)) if messages[at].role is Role.USER)
        return next(asked, cut)


def _summary(messages: Sequence[ChatMessage]) -> str:
    exchanges: list[str] = []
    for message in messages:
        if message.role is Role.USER and message.content.strip():
            who = message.author.display_name if message.author else "Somebody"
            exchanges.append(f"- {who}: {_shortened(message.content, _LONGEST_QUESTION)}")
        elif message.role is Role.ASSISTANT and exchanges:
            first = next(iter(sentences(message.content)), "")
            exchanges[-1] += f" You answered: {_shortened(first, _LONGEST_ANSWER)}"
    return "\n".join([_HEADING, *exchanges[-_MOST_EXCHANGES:]]) if exchanges else ""


def _shortened(text: str, longest: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1].rstrip()}…"
