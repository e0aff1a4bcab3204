"""Lets an answer out only where the message was the club's business; in the grey band a model is asked beside it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from core.agent.scope import THRESHOLD, ScopeVerdict, by_passages, by_rules
from core.agent.scope_judge import ScopeJudge
from core.domain.book import Book
from core.domain.chat_event import EventSink, TokenUsageEvent
from core.domain.conversation import TurnOutcome
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.passage import SearchFn
from core.domain.tool_use import TokenUsage
from core.domain.words import off_topic
from core.text.questions import in_context

PASSAGES: Final = 5

Answer = Callable[[], Awaitable[TurnOutcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A message, what its author said before it (empty where nothing was), and the book that it may be about."""

    message: str
    before: str
    book: Book
    search: SearchFn
    deadline: Deadline | None = None
    on_event: EventSink | None = None


class ScopeGuardrail:
    """Rules and a search decide; in the grey band between them a judge, while the answer is already being made.

    Without a judge whatever is not off-topic for certain is answered: the spoiler guard stands behind every answer.
    """

    def __init__(self, *, judge: ScopeJudge | None = None) -> None:
        self._judge = judge

    async def around(self, asked: Asked, answer: Answer) -> TurnOutcome:
        """Return the answer with its score, or the short reply to what is off-topic.

        Raises:
            LLMError: there is no answer.
        """
        verdict = await self._first_look(asked)
        if not verdict.is_in and not verdict.is_grey:
            return _turned_away(asked.book, verdict)
        if verdict.is_in or self._judge is None:
            return replace(await answer(), guardrail_score=verdict.score)
        return await self._judged(asked, answer, self._judge)

    async def _first_look(self, asked: Asked) -> ScopeVerdict:
        known = f"{asked.book.title} {asked.book.author or ''}"
        verdict = by_rules(asked.message, known=known, goes_on=bool(asked.before))
        if verdict is not None:
            return verdict
        return by_passages(asked.message, await asked.search(in_context(asked.message, asked.before), PASSAGES))

    async def _judged(self, asked: Asked, answer: Answer, judge: ScopeJudge) -> TurnOutcome:
        """Make the answer and ask the judge side by side; an answer to what is off-topic is never seen."""
        answering = asyncio.ensure_future(answer())
        try:
            judgement = await judge.judge(asked.message, book=asked.book, deadline=asked.deadline)
            if judgement.usage != TokenUsage() and asked.on_event is not None:
                asked.on_event(
                    TokenUsageEvent(
                        input_tokens=judgement.usage.input_tokens, output_tokens=judgement.usage.output_tokens
                    )
                )
            if judgement.verdict.score < THRESHOLD:
                spent, calls = _spent(answering)
                turned_away = _turned_away(asked.book, judgement.verdict)
                return replace(
                    turned_away,
                    usage=judgement.usage + spent,
                    iterations=1 + calls,
                    provider=judge.provider.name,
                    model=judgement.model,
                )
            try:
                outcome = await answering
            except LLMError as error:
                error.usage = judgement.usage + (error.usage or TokenUsage())
                raise
        finally:
            answering.cancel()
        return replace(
            outcome,
            guardrail_score=judgement.verdict.score,
            usage=outcome.usage + judgement.usage,
            iterations=outcome.iterations + 1,
        )


def _spent(answering: asyncio.Future[TurnOutcome]) -> tuple[TokenUsage, int]:
    """Return what an answer that nobody will see has taken, as far as it has come to an end."""
    if not answering.done() or answering.cancelled():
        return TokenUsage(), 0
    error = answering.exception()
    if error is None:
        return answering.result().usage, answering.result().iterations
    return (error.usage if isinstance(error, LLMError) else None) or TokenUsage(), 0


def _turned_away(book: Book, verdict: ScopeVerdict) -> TurnOutcome:
    return TurnOutcome(text=off_topic(book.title), guardrail_score=verdict.score, quotes_only=True)
