"""From a question to what may be posted: a draft, the judgement on it, and what follows one that fails (spec 4)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.agent.citations import CitedSentence
from core.agent.context import prompt_messages
from core.agent.prompts import REDRAFT_REASON, render_prompt
from core.agent.verifier import Verifier
from core.app.drafts import Draft, DraftJudge
from core.app.quotation_limit import within_limit
from core.app.quote_instead import QuoteInstead
from core.app.redaction import redacted
from core.domain.book import Book
from core.domain.chat_event import ChatEvent, EventSink, SpoilerBlockedEvent, TokenUsageEvent, ToolInvocationEvent
from core.domain.conversation import TurnOutcome
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.passage import SearchFn
from core.domain.position import Position
from core.domain.tool_use import GenerationOptions, PromptMessage, TokenUsage, ToolDefinition
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.guard import Guard
from core.ports.strategies import RetrievalStrategy


@dataclass(slots=True, kw_only=True)
class Asking:
    """One question on its way: what the answer may draw on, and who hears of it; `prompt` ends with the question."""

    question: str
    book: Book
    position: Position
    prompt: Sequence[PromptMessage]
    search: SearchFn
    tools: Sequence[ToolDefinition]
    on_event: EventSink | None
    deadline: Deadline
    searched: bool = False
    blocks: Counter[str] = field(default_factory=Counter)
    cited: list[CitedSentence] = field(default_factory=list)

    def emit(self, event: ChatEvent) -> None:
        """Pass an event on; remember whether anybody saw a search."""
        self.searched = self.searched or isinstance(event, ToolInvocationEvent)
        if self.on_event is not None:
            self.on_event(event)


class GuardedAnswer:
    """Holds every draft until it is judged. What fails is never posted, stored, or sent back to the model.

    Then, in this order: one new draft, where there is a verifier; the quoting answer; the one fixed sentence. A draft
    in which nothing rests on read text goes the same way, so that a block tells nobody anything.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        strategy: RetrievalStrategy,
        guard: Guard,
        books: BookRepository,
        quote_instead: QuoteInstead,
        prompts_dir: Path,
        verifier: Verifier | None = None,
    ) -> None:
        self._provider = provider
        self._strategy = strategy
        self._guard = guard
        self._books = books
        self._quote_instead = quote_instead
        self._prompts_dir = prompts_dir
        self._redrafts = verifier is not None
        self._judge = DraftJudge(guard=guard, books=books, verifier=verifier)

    async def execute(self, asking: Asking) -> TurnOutcome:
        """Answer the question.

        Raises:
            LLMError: there is no draft at all.
        """
        draft = await self._draft(asking, asking.prompt)
        if draft.quotes_only:
            return draft
        draft, is_good = await self._judged(asking, draft)
        if not is_good and self._redrafts:
            draft, is_good = await self._redraft(asking, draft)
        outcome = draft if is_good else await self._quoted(asking, draft)
        return replace(outcome, blocks=dict(asking.blocks))

    async def _draft(self, asking: Asking, prompt: Sequence[PromptMessage]) -> TurnOutcome:
        draft = await self._strategy.run(
            self._provider, prompt, asking.tools, asking.search, asking.emit, deadline=asking.deadline
        )
        return await redacted(draft, asking.tools, self._guard, book=asking.book, position=asking.position)

    async def _judged(self, asking: Asking, draft: TurnOutcome) -> tuple[TurnOutcome, bool]:
        """Return the draft with what judging it took, and whether it may be posted."""
        decision = await self._judge.decide(
            Draft(
                text=draft.text,
                question=asking.question,
                book=asking.book,
                position=asking.position,
                passages=draft.sources,
            ),
            asking.search,
            GenerationOptions(deadline=asking.deadline),
        )
        used = decision.verified.usage
        if used != TokenUsage():
            asking.emit(TokenUsageEvent(input_tokens=used.input_tokens, output_tokens=used.output_tokens))
        if not decision.may_be_posted:
            asking.blocks.update(decision.rules)
            asking.cited += decision.cited
            asking.emit(SpoilerBlockedEvent(rules=decision.rules))
        judged = replace(
            draft,
            text=within_limit(draft.text, decision.quoted),
            usage=draft.usage + used,
            iterations=draft.iterations + decision.verified.calls,
        )
        return judged, decision.may_be_posted

    async def _redraft(self, asking: Asking, failed: TurnOutcome) -> tuple[TurnOutcome, bool]:
        """Ask once more, with a reason that tells nothing; of the failed draft only what was searched goes along.

        The reason comes last: all before it was sent before, and is in the provider's cache.
        """
        reason = PromptMessage(
            role="user", content=render_prompt(self._prompts_dir, REDRAFT_REASON, {}), is_reminder=True
        )
        prompt = [*asking.prompt, *prompt_messages(failed.messages), reason]
        try:
            again = await self._draft(asking, prompt)
        except LLMError as error:
            return replace(failed, usage=failed.usage + (error.usage or TokenUsage())), False
        return await self._judged(asking, _continued(failed, again))

    async def _quoted(self, asking: Asking, failed: TurnOutcome) -> TurnOutcome:
        """Quote what was read instead; a search shows only where none was seen, so that all turns look alike."""
        quoted = await self._quote_instead.execute(
            asking.book.book_id,
            asking.question,
            position=asking.position,
            cited=asking.cited,
            searched=failed.sources,
            on_event=None if asking.searched else asking.emit,
        )
        return replace(failed, text=quoted.text, sources=quoted.sources, quotes_only=True, max_iterations_reached=False)


def _continued(first: TurnOutcome, second: TurnOutcome) -> TurnOutcome:
    """Return the second draft with all that the turn has learned and spent since its beginning."""
    sources = {source.chunk_id: source for source in (*first.sources, *second.sources)}
    later = [replace(call, iteration=call.iteration + first.iterations) for call in second.tool_calls]
    return replace(
        second,
        sources=tuple(sources.values()),
        tool_calls=(*first.tool_calls, *later),
        messages=(*first.messages, *second.messages),
        usage=first.usage + second.usage,
        iterations=first.iterations + second.iterations,
    )
