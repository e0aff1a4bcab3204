"""The default where a model is configured: the model decides when to search (CA-4)."""

from collections.abc import Sequence

from core.agent.loop import DEFAULT_MAX_ITERATIONS, AgentRun
from core.agent.strategies.base import ThinRetrievalStrategy
from core.agent.tools.search_book import DEFINITION
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.deadline import Deadline
from core.domain.passage import SearchFn
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider


class ToolUseRetrievalStrategy(ThinRetrievalStrategy):
    """Offers `search_book` and runs the agent loop."""

    def __init__(
        self,
        *,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        options: GenerationOptions | None = None,
    ) -> None:
        super().__init__(options=options)
        self._max_iterations = max_iterations

    def build_tool_definitions(self) -> list[ToolDefinition]:
        """Return the one tool."""
        return [DEFINITION]

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
        """Answer the last user message. Raises LLMError."""
        agent_run = AgentRun(provider=chat_provider, prompt=list(messages), search_fn=search_fn, on_event=on_event)
        return await agent_run.until_answered(tools, self.options_within(deadline), max_iterations=self._max_iterations)
