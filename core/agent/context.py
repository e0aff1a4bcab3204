"""What of a conversation goes into a prompt (chat-agent.md CA-5, CA-6)."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.domain.conversation import ChatMessage, Role
from core.domain.tool_use import PromptMessage, PromptRole
from core.ports.strategies import ConversationContextStrategy

DEFAULT_MAX_MESSAGES = 20
GOES_BACK: Final = 40
"""Messages before a question among which a follow-up finds what it takes up."""
_PROMPT_ROLES: dict[Role, PromptRole] = {
    Role.USER: "user",
    Role.ASSISTANT: "assistant",
    Role.TOOL_RESULT: "tool_result",
}


class FullHistoryContextStrategy(ConversationContextStrategy):
    """The most recent messages, whole; a stored tool result comes back with the invocation that asked for it."""

    def __init__(self, *, max_messages: int = DEFAULT_MAX_MESSAGES) -> None:
        self._max_messages = max(max_messages, 1)  # the question itself is never cut

    def build_context(self, messages: list[ChatMessage], system_prompt: str) -> list[PromptMessage]:
        """Return the system prompt and at most `max_messages` of the history, oldest dropped first."""
        recent = messages[-self._max_messages :]
        return [PromptMessage(role="system", content=system_prompt), *prompt_messages(recent)]


def latest_turns(messages: Sequence[ChatMessage], turns: int) -> list[ChatMessage]:
    """Return the end of a history that ends with a question: that question, and so many turns before it."""
    asked = [at for at, message in enumerate(messages) if message.role is Role.USER]
    return list(messages[asked[-turns - 1] :]) if len(asked) > turns else list(messages)


def talk(history: Sequence[ChatMessage], question: ChatMessage) -> list[PromptMessage]:
    """Return a question behind the end of what was said before it: as far as it may go back to."""
    said = [message for message in history if message.role is not Role.TOOL_RESULT]
    return [*prompt_messages([*said[-GOES_BACK:], question])]


def prompt_messages(messages: Iterable[ChatMessage]) -> Iterable[PromptMessage]:
    """Yield stored messages as a prompt holds them, a tool result behind the call that it answers."""
    for message in messages:
        if message.invocation is not None:
            yield PromptMessage(role="assistant", content="", tool_invocations=(message.invocation,))
        yield PromptMessage(
            role=_PROMPT_ROLES[message.role],
            content=message.content,
            author=message.author.display_name if message.author else "",
            looked_at=message.looked_at,
            invocation_id=message.invocation.invocation_id if message.invocation else "",
            tool_name=message.invocation.tool_name if message.invocation else "",
            is_error=message.is_error,
        )
