"""Where a model is configured it decides itself when to search (ADR 18).

By default the question is searched for before the first call, tools still on offer: most questions then need one call.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.agent.loop import DEFAULT_MAX_ITERATIONS, AgentRun
from core.agent.tool import SEARCH_BOOK
from core.answering.strategies.base import ThinRetrievalStrategy, is_asked, query_of, question_of
from core.answering.tools.search_book import (
    DEFAULT_TOP_K,
    DEFINITION,
    SearchTool,
    format_passages,
    search_tool,
    with_gaps,
    with_notes,
)
from core.answering.turn_notes import notes_of
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.passage import SearchFn, SearchResult
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, ToolDefinition, with_passages
from core.ports.chat_provider import ChatProvider
from core.understanding.small_talk import is_small_talk


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
        return await self._answered(agent_run, tools, deadline)

    async def _answered(
        self, agent_run: AgentRun, tools: Sequence[ToolDefinition], deadline: Deadline | None
    ) -> TurnOutcome:
        # A bare definition of the search stands for the search of this run.
        runnable = [search_tool(agent_run.search_fn) if each is DEFINITION else each for each in tools]
        return await agent_run.until_answered(
            runnable, self.options_within(deadline), max_iterations=self._max_iterations
        )


class PrefetchStrategy(ToolUseRetrievalStrategy):
    """The question's passages go along with it; the model searches again where they do not answer.

    They stand in the last message alone: all before it stays as it was sent before, so that the provider's cache hits.
    A search at the model's wish brings what did not go along.

    Args:
        max_iterations: rounds of tools.
        options: of every model call.
        top_k: how many passages are searched for.
    """

    def __init__(
        self,
        *,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        options: GenerationOptions | None = None,
        top_k: int = DEFAULT_TOP_K,
    ) -> None:
        super().__init__(max_iterations=max_iterations, options=options)
        self._top_k = top_k

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
        question = question_of(messages)
        if question and not is_small_talk(question):
            found = await agent_run.search(query_of(messages), self._top_k, tool_name=SEARCH_BOOK)
            notes = notes_of(search_fn)
            told = await notes.along_with(question, query_of(messages), found) if notes else ""
            if found or told:
                passages = with_gaps(format_passages(found), found=len(found), top_k=self._top_k)
                shown = with_notes(passages, told)
                at = _last_question(messages)
                agent_run.prompt[at] = replace(messages[at], content=with_passages(shown, messages[at].said), author="")
                agent_run.keep_along(shown)
                tools = _bringing_others(tools, found)
        return await self._answered(agent_run, tools, deadline)


def _bringing_others(tools: Sequence[ToolDefinition], found: Sequence[SearchResult]) -> list[ToolDefinition]:
    """Return the tools, with a search that brings other passages than those that were found."""
    shown = frozenset(passage.chunk_id for passage in found)
    return [each.beside(shown) if isinstance(each, SearchTool) else each for each in tools]


def _last_question(messages: Sequence[PromptMessage]) -> int:
    return max(at for at, message in enumerate(messages) if is_asked(message))
