"""What all retrieval strategies share: the options of their calls, and the question of a prompt."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.messages import is_off_topic
from core.domain.passage import SearchFn
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, ToolDefinition, TurnLimits
from core.ports.chat_provider import ChatProvider
from core.ports.strategies import RetrievalStrategy
from core.understanding.follow_ups import Said, in_context


class ThinRetrievalStrategy(RetrievalStrategy):
    """A strategy that only has to say how it runs.

    Args:
        options: of every model call.
    """

    def __init__(self, *, options: GenerationOptions | None = None) -> None:
        self._options = options or GenerationOptions()

    def options_within(self, deadline: Deadline | None) -> GenerationOptions:
        """Return the options with a turn's budget; without one, with that of a turn that begins now."""
        return replace(self._options, deadline=deadline or TurnLimits().deadline())

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
        *,
        deadline: Deadline | None = None,
    ) -> TurnOutcome:
        """Answer the last user message."""


def question_of(messages: Sequence[PromptMessage]) -> str:
    """Return the last message of a user in a prompt; empty where there is none."""
    return next((message.content for message in reversed(messages) if is_asked(message)), "")


def query_of(messages: Sequence[PromptMessage]) -> str:
    """Return what to search for: the last message of a user, with what it takes up of those before it."""
    *before, said = _taken_up(messages) or [Said(text="")]
    return in_context(said, before)


def goes_on(messages: Sequence[PromptMessage]) -> bool:
    """Whether something was said before the last message of a user that it may take up."""
    return len(_taken_up(messages)) > 1


def _taken_up(messages: Sequence[PromptMessage]) -> list[Said]:
    """Return what users said; what was turned away as off-topic is not taken up."""
    asked: list[Said] = []
    for message in messages:
        if is_asked(message):
            asked.append(Said(text=message.content, author=message.author))
        elif message.role == "assistant" and asked and is_off_topic(message.content):
            asked.pop()
    return asked


def is_asked(message: PromptMessage) -> bool:
    """Whether a user said it."""
    return message.role == "user" and not message.is_reminder
