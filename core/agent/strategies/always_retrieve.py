"""For models without tool use: search for the question first, then ask once with the passages (CA-3)."""

from collections.abc import Sequence

from core.agent.loop import AgentRun
from core.agent.strategies.base import ThinRetrievalStrategy, question_of
from core.agent.tools.search_book import SEARCH_BOOK, format_passages
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.tool_use import PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider
from core.ports.strategies import SearchFn

_PASSAGES = 5


class AlwaysRetrieveStrategy(ThinRetrievalStrategy):
    """One search, one call."""

    async def run(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Answer the last user message from the passages that fit it best. Raises LLMError."""
        agent_run = AgentRun(provider=chat_provider, prompt=list(messages), search_fn=search_fn, on_event=on_event)
        results = await agent_run.search(question_of(messages), _PASSAGES, tool_name=SEARCH_BOOK)
        passages = PromptMessage(
            role="user", content=f"Passages from the pages read so far:\n\n{format_passages(tuple(results))}"
        )
        agent_run.prompt.insert(len(agent_run.prompt) - 1, passages)
        return agent_run.outcome(await agent_run.ask([], self.options_of_turn()))
