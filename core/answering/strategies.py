"""The ways to draft an answer with passages (ADR 18): the model searches itself, or a search comes before its call.

The quoting answer, which uses no model, is in `quoting.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.agent.executor import SEARCH_BOOK
from core.agent.loop import DEFAULT_MAX_ITERATIONS, AgentRun
from core.agent.response_generator import NO_CONTENT, ResponseGenerator
from core.agent.response_rules import ResponseRule
from core.answering.tools.search_book import (
    DEFAULT_TOP_K,
    format_passages,
    page_label,
    search_tool,
    with_gaps,
    with_notes,
)
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.passage import SearchResult
from core.domain.question import Question
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolDefinition
from core.guard.citations import cited_pages
from core.language.words import content_stems
from core.ports.chat_provider import ChatProvider
from core.understanding.asked import understood

MOST_ATTEMPTS: Final = 3
_FITS: Final = 0.5
"""Least share of a query's content words that one passage must contain for a search to count as successful."""
_LONGEST_QUERY: Final = 300
_HEADING: Final = "Passages from the pages read so far:\n\n"


class RetrievalStrategy(ABC):
    """One way to draft an answer.

    Args:
        options: the options of every model call.
    """

    offers_tools: bool = False
    """Whether the model may call tools."""
    sends_passages: bool = False
    """Whether passages go along with the question."""

    def __init__(self, *, options: GenerationOptions | None = None) -> None:
        self._options = options or GenerationOptions()

    @abstractmethod
    async def run(
        self,
        provider: ChatProvider,
        question: Question,
        prompt: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition] = (),
    ) -> TurnOutcome:
        """Draft an answer to a question. All model calls share the turn's deadline.

        Args:
            provider: the model.
            question: the question.
            prompt: its prompt.
            tools: what the model may call; strategies that offer no tools ignore them.

        Raises:
            LLMError: the model gave no answer.
        """

    def _options_of(self, question: Question) -> GenerationOptions:
        return replace(self._options, deadline=question.deadline)


class ToolUseRetrievalStrategy(RetrievalStrategy):
    """Lets the model decide when to search."""

    offers_tools = True

    def __init__(
        self, *, max_iterations: int = DEFAULT_MAX_ITERATIONS, options: GenerationOptions | None = None
    ) -> None:
        super().__init__(options=options)
        self._max_iterations = max_iterations

    async def run(
        self,
        provider: ChatProvider,
        question: Question,
        prompt: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition] = (),
    ) -> TurnOutcome:
        """Let the model call tools until it answers. Raises LLMError."""
        return await self._answered(_run(provider, question, prompt), question, tools)

    async def _answered(self, run: AgentRun, question: Question, tools: Sequence[ToolDefinition]) -> TurnOutcome:
        return await run.until_answered(tools, self._options_of(question), max_iterations=self._max_iterations)


class PrefetchStrategy(ToolUseRetrievalStrategy):
    """Searches first and sends the passages with the question; the model may search again.

    Most questions then need one model call. The passages are in the last message, so that everything before it stays
    the same as in earlier turns and the provider can cache it. A search by the model returns other passages.

    Args:
        max_iterations: how many rounds of tool calls the model has.
        options: the options of every model call.
        top_k: how many passages the first search returns.
    """

    sends_passages = True

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
        provider: ChatProvider,
        question: Question,
        prompt: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition] = (),
    ) -> TurnOutcome:
        """Search, then let the model call tools until it answers. Raises LLMError."""
        run = _run(provider, question, prompt)
        if not question.text or not understood(question).wants_pages:
            return await self._answered(run, question, tools)
        found = await run.search(question.query, self._top_k)
        notes = await question.notes.along_with(question.query, found) if question.notes else ""
        passages = _with_along(run, found, question)
        if not (passages or notes):
            return await self._answered(run, question, tools)
        shown = with_notes(with_gaps(format_passages(passages), found=len(found), top_k=self._top_k), notes)
        at = max(at for at, each in enumerate(prompt) if each.role == "user" and not each.is_reminder)
        content = f"{_HEADING}{shown}\n\nThe message:\n\n{prompt[at].said}"
        run.prompt[at] = replace(prompt[at], content=content, author="")
        return _with_cited(await self._answered(run, question, _without(passages, question, tools)), question)


class AlwaysRetrieveStrategy(RetrievalStrategy):
    """Searches once and calls the model once, for models without tool use.

    If a search finds nothing that fits, the model is asked for a better query, up to `max_attempts` searches in all.

    Args:
        rewrite: the prompt that asks for a better query; without it, there is one search.
        rewrite_settings: options that override those of `rewrite`.
        options: the options of the call that answers.
        top_k: how many passages each search returns.
        max_attempts: how many searches one question may have.
    """

    sends_passages = True

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
        provider: ChatProvider,
        question: Question,
        prompt: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition] = (),
    ) -> TurnOutcome:
        """Search, and answer from the passages found. Raises LLMError."""
        run, query = _run(provider, question, prompt), question.query
        results = await run.search(query, self._top_k)
        while run.searches < self._max_attempts and not _fit(query, results):
            better = await self._rewritten(run, query, question)
            if better is None:
                break
            query = better
            results = await run.search(query, self._top_k) or results
        notes = await question.notes.along_with(query, results) if question.notes else ""
        found = len(results) if _fit(query, results) else 0
        passages = format_passages(_with_along(run, results, question))
        shown = with_notes(with_gaps(passages, found=found, top_k=self._top_k), notes)
        run.prompt.insert(len(run.prompt) - 1, PromptMessage(role="user", content=f"{_HEADING}{shown}"))
        return _with_cited(run.outcome(await run.ask([], self._options_of(question))), question)

    async def _rewritten(self, run: AgentRun, query: str, question: Question) -> str | None:
        """Ask the model for a better query; None where it gives none. The model sees the query and nothing else."""
        if self._rewrite is None:
            return None
        generator = ResponseGenerator(provider=run.provider, settings=self._rewrite_settings)
        run.iterations += 1
        try:
            response = await generator.generate(
                self._rewrite, query, deadline=question.deadline, on_event=question.log.take
            )
        except LLMError:
            return None
        run.usage += response.usage
        better = " ".join(response.content.split())[:_LONGEST_QUERY]
        is_better = response.is_whole and response.content != NO_CONTENT and better.casefold() != query.casefold()
        return better if is_better else None


def _run(provider: ChatProvider, question: Question, prompt: Sequence[PromptMessage]) -> AgentRun:
    return AgentRun(
        provider=provider,
        prompt=list(prompt),
        search_fn=question.search,
        question=question.text,
        on_event=question.log.take,
    )


def _with_along(run: AgentRun, found: Sequence[SearchResult], question: Question) -> list[SearchResult]:
    """Return the passages to send: what was found, then what goes along in any case. The run keeps their pages."""
    passages = list({passage.chunk_id: passage for passage in (*found, *question.along)}.values())
    if passages:
        labels = dict.fromkeys(page_label(passage.start_page) for passage in passages)
        run.keep_along("\n".join(labels), reveals_page=max(passage.end_page for passage in passages))
    return passages


def _without(
    passages: Sequence[SearchResult], question: Question, tools: Sequence[ToolDefinition]
) -> list[ToolDefinition]:
    """Return the tools, with a search that finds other passages than those that were sent."""
    others = search_tool(question.search, notes=question.notes, shown={passage.chunk_id for passage in passages})
    return [others if each.name == SEARCH_BOOK else each for each in tools]


def _with_cited(outcome: TurnOutcome, question: Question) -> TurnOutcome:
    """Return an outcome whose sources also have the passages along that it cites, but not all that went along."""
    cited, known = cited_pages(outcome.text), {source.chunk_id for source in outcome.sources}
    along = [each for each in question.along if each.start_page in cited and each.chunk_id not in known]
    return replace(outcome, sources=(*outcome.sources, *along))


def _fit(query: str, results: Sequence[SearchResult]) -> bool:
    """Whether one of the passages contains enough of the query's content words."""
    wanted = content_stems(query)
    if not wanted:
        return True
    return any(len(wanted.intersection(content_stems(result.text))) / len(wanted) >= _FITS for result in results)
