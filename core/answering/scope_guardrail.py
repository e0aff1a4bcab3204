"""Decides whether a message is in scope: about the book or the club (ADR 18).

The meaning of the message gives a score. In the grey band a model may be asked, which sees only the message and the
book's title and author. Small talk, thanks and questions about the bot are in scope.
"""

import re
from dataclasses import dataclass, replace
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
from core.language.words import content_stems
from core.ports.chat_provider import ChatProvider
from core.understanding.asked import understood

THRESHOLD: Final = 75
"""Messages that score so much are in scope."""
GREY_FROM: Final = 45
"""Below this a message is off-topic without doubt; between here and the threshold a model may be asked."""
_SURE: Final = 100

_SCORE = re.compile(r"\s*(\d{1,3})\b[\s.:-]*(.*)", re.DOTALL)
_LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeVerdict:
    """How far a message is the club's business, 0 to 100, and why in words for the operator."""

    score: int
    reasoning: str
    threshold: int = THRESHOLD

    @property
    def is_in(self) -> bool:
        """Whether it is answered."""
        return self.score >= self.threshold

    @property
    def is_off(self) -> bool:
        """Whether it is turned away without doubt."""
        return self.score < min(GREY_FROM, self.threshold)

    @property
    def is_grey(self) -> bool:
        """Whether only a model could tell."""
        return not self.is_in and not self.is_off


class ScopeGuardrail:
    """Scores a message by what it means, and by a model if there is one.

    Without a judge, every message is answered that is not certainly off-topic: the guard reviews each answer anyway.

    Args:
        judge: asks a model; None for the score alone.
        threshold: the least score, 0 to 100, that is in scope.
    """

    def __init__(self, *, judge: "ScopeJudge | None" = None, threshold: int = THRESHOLD) -> None:
        self._judge = judge
        self._threshold = threshold

    def look(self, question: Question) -> ScopeVerdict:
        """Return the verdict by what the question means; one that names the book is in scope."""
        book, meaning = question.book, understood(question)
        verdict = ScopeVerdict(
            score=round(_SURE * (1 - meaning.off_topic)), reasoning=f"understood as {meaning.intent.value}"
        )
        title = content_stems(book.title)
        if title and title <= content_stems(question.text):
            verdict = ScopeVerdict(score=_SURE, reasoning="names the book")
        question.log.scored(verdict.score, verdict.reasoning)
        return replace(verdict, threshold=self._threshold)

    def asks_model(self, verdict: ScopeVerdict) -> bool:
        """Whether to call `judge`, at the same time as the draft."""
        return verdict.is_grey and self._judge is not None

    async def judge(self, question: Question) -> ScopeVerdict:
        """Return the model's verdict. Raises ValueError where there is no judge."""
        if self._judge is None:
            raise ValueError("There is no judge to ask.")
        verdict = await self._judge.judge(
            question.text, book=question.book, deadline=question.deadline, on_event=question.log.take
        )
        question.log.scored(verdict.score, verdict.reasoning)
        return replace(verdict, threshold=self._threshold)


def turned_away(question: Question) -> TurnOutcome:
    """Return the short reply to an off-topic question."""
    return TurnOutcome(text=off_topic(question.book.title), quotes_only=True, iterations=question.log.calls)


class ScopeJudge:
    """Asks a model whether a message is in scope, in one short call.

    A late or unreadable answer counts as in scope: the guard reviews each answer anyway.
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
        """Return the model's score of how far a message is about the book or the club."""
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
    """Parse a score of 0 to 100 and the reason after it; an answer that is no score gets the score `unread`."""
    match = _SCORE.match(answer)
    if match is None or int(match[1]) > 100:  # noqa: PLR2004 (a score is a percentage)
        return ScopeVerdict(score=unread, reasoning="an answer that is no score")
    reason = " ".join(match[2].split())[:_LONGEST_REASON]
    return ScopeVerdict(score=int(match[1]), reasoning=reason or "a model's verdict")
