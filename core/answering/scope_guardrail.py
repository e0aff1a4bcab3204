"""Is a message the club's business? Rules and a search decide; in the grey band between them a model may be asked.

The model sees the message and the book's name.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.agent.prompts import SCOPE_PROMPT
from core.agent.response_generator import ResponseGenerator
from core.agent.response_rules import load_rule
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import off_topic
from core.domain.question import Question
from core.domain.tool_use import Deadline, GenerationOptions
from core.ports.chat_provider import ChatProvider
from core.understanding.scope import THRESHOLD, ScopeVerdict, by_passages, by_rules

PASSAGES: Final = 5

_SCORE = re.compile(r"\s*(\d{1,3})\b[\s.:-]*(.*)", re.DOTALL)
_LONGEST_REASON: Final = 200


class ScopeGuardrail:
    """Without a judge whatever is not off-topic for certain is answered: the guard stands behind every answer."""

    def __init__(self, *, judge: "ScopeJudge | None" = None, threshold: int = THRESHOLD) -> None:
        self._judge = judge
        self._threshold = threshold

    async def look(self, question: Question) -> ScopeVerdict:
        """Return what the rules say, else what a search for the message and the one before it finds."""
        book = question.book
        verdict = by_rules(question.text, known=f"{book.title} {book.author or ''}", goes_on=question.said_before)
        if verdict is None:
            verdict = by_passages(question.text, await question.search(question.query, PASSAGES))
        question.log.scored(verdict.score, verdict.reasoning)
        return replace(verdict, threshold=self._threshold)

    def asks_model(self, verdict: ScopeVerdict) -> bool:
        """Whether `judge` is to be asked, while the answer is already being made."""
        return verdict.is_grey and self._judge is not None

    async def judge(self, question: Question) -> ScopeVerdict:
        """Return what the model says."""
        if self._judge is None:
            raise ValueError("There is no judge to ask.")
        verdict = await self._judge.judge(
            question.text, book=question.book, deadline=question.deadline, on_event=question.log.take
        )
        question.log.scored(verdict.score, verdict.reasoning)
        return replace(verdict, threshold=self._threshold)


def turned_away(question: Question) -> TurnOutcome:
    """Return the short reply to what is off-topic."""
    return TurnOutcome(text=off_topic(question.book.title), quotes_only=True, iterations=question.log.calls)


class ScopeJudge:
    """Asks a model, in one short call.

    Whatever is late or unreadable counts as in scope: the guard stands behind every answer.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        prompts_dir: Path,
        options: GenerationOptions | None = None,
        threshold: int = THRESHOLD,
    ) -> None:
        self._generator = ResponseGenerator(provider=provider, settings=options)
        self._prompts_dir = prompts_dir
        self._threshold = threshold

    async def judge(
        self, message: str, *, book: Book, deadline: Deadline | None = None, on_event: EventSink | None = None
    ) -> ScopeVerdict:
        """Return how far a message is about the book or the club."""
        rule = load_rule(self._prompts_dir, SCOPE_PROMPT)
        variables = {"book": {"title": book.title, "author": book.author}}
        try:
            response = await self._generator.generate(
                rule, message, variables=variables, deadline=deadline, on_event=on_event
            )
        except LLMError:
            return ScopeVerdict(score=self._threshold, reasoning="no answer from the model")
        return parse_scope(response.content, unread=self._threshold)


def parse_scope(answer: str, *, unread: int = THRESHOLD) -> ScopeVerdict:
    """Read a score of 0 to 100 and, behind it, the reason; what cannot be read scores `unread`."""
    match = _SCORE.match(answer)
    if match is None or int(match[1]) > 100:  # noqa: PLR2004 (a score is a percentage)
        return ScopeVerdict(score=unread, reasoning="an answer that is no score")
    reason = " ".join(match[2].split())[:_LONGEST_REASON]
    return ScopeVerdict(score=int(match[1]), reasoning=reason or "a model's verdict")
