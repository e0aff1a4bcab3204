"""For models without tool use: search for the question first, then ask once with the passages (ADR 18).

Where a search finds nothing that fits, the model is asked for better words, up to three attempts in all.
"""

from collections.abc import Sequence
from typing import Final

from core.agent.loop import AgentRun
from core.agent.response_generator import NO_CONTENT, ResponseGenerator
from core.agent.response_rules import ResponseRule
from core.agent.tool import SEARCH_BOOK
from core.answering.strategies.base import ThinRetrievalStrategy, query_of, question_of
from core.answering.tools.search_book import DEFAULT_TOP_K, format_passages, with_gaps, with_notes
from core.answering.turn_notes import notes_of
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.passage import SearchFn, SearchResult
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, ToolDefinition
from core.language.words import content_stems
from core.ports.chat_provider import ChatProvider

MOST_ATTEMPTS: Final = 3
_FITS: Final = 0.5
"""Least share of a query's words of matter that one passage must hold for the search to have found something."""
_LONGEST_QUERY: Final = 300


class AlwaysRetrieveStrategy(ThinRetrievalStrategy):
    """One search and one call, where the search finds what fits.

    Args:
        rewrite: the rule by which a model is asked for better words to search for; without it, one attempt is made.
        rewrite_settings: options that win over that rule's.
        options: of the call that answers.
        top_k: how many passages are searched for.
        max_attempts: searches for one question.
    """

    def __init__(
        self,
        *,
        rewrite: ResponseRule | None = None,
        rewrite_settings: GenerationOptions | None = None,
        options: GenerationOptions | None = None,
        top_k: int = DEFAULT_TOP_K,
        max_attempts: int = MOST_ATTEMPTS,
    ) -> None:
        super().__init__(options=options)
        self._rewrite = rewrite
        self._rewrite_settings = rewrite_settings
        self._top_k = top_k
        self._max_attempts = max_attempts if rewrite else 1

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
        """Answer the last user message from the passages that fit it best. Raises LLMError."""
        agent_run = AgentRun(provider=chat_provider, prompt=list(messages), search_fn=search_fn, on_event=on_event)
        options = self.options_within(deadline)
        query = query_of(messages)
        results = await agent_run.search(query, self._top_k, tool_name=SEARCH_BOOK)
        while agent_run.searches < self._max_attempts and not _fit(query, results):
            better = await self._rewritten(agent_run, query, options.deadline)
            if better is None:
                break
            query = better
            results = await agent_run.search(query, self._top_k, tool_name=SEARCH_BOOK) or results
        notes = notes_of(search_fn)
        told = await notes.along_with(question_of(messages), query, results) if notes else ""
        found = len(results) if _fit(query, results) else 0
        shown = with_notes(with_gaps(format_passages(tuple(results)), found=found, top_k=self._top_k), told)
        passages = PromptMessage(role="user", content=f"Passages from the pages read so far:\n\n{shown}")
        agent_run.prompt.insert(len(agent_run.prompt) - 1, passages)
        agent_run.keep_along(shown)
        return agent_run.outcome(await agent_run.ask([], options))

    async def _rewritten(self, agent_run: AgentRun, query: str, deadline: Deadline | None) -> str | None:
        """Ask for other words; None where none come. The query alone goes along, neither passages nor history."""
        if self._rewrite is None:
            return None
        generator = ResponseGenerator(provider=agent_run.provider, settings=self._rewrite_settings)
        agent_run.iterations += 1
        try:
            response = await generator.generate(self._rewrite, query, deadline=deadline, on_event=agent_run.on_event)
        except LLMError:
            return None
        agent_run.usage += response.usage
        better = " ".join(response.content.split())[:_LONGEST_QUERY]
        is_better = response.is_whole and response.content != NO_CONTENT and better.casefold() != query.casefold()
        return better if is_better else None


def _fit(query: str, results: Sequence[SearchResult]) -> bool:
    wanted = content_stems(query)
    if not wanted:
        return True
    return any(len(wanted.intersection(content_stems(result.text))) / len(wanted) >= _FITS for result in results)
