"""Is a message the club's business? Rules and a search decide; in the grey band between them a model may be asked."""

from typing import Final

from core.agent.context import talk
from core.agent.scope import ScopeVerdict, by_passages, by_rules
from core.agent.scope_judge import ScopeJudge
from core.agent.strategies.base import goes_on, query_of
from core.domain.conversation import TurnOutcome
from core.domain.question import Question
from core.domain.words import off_topic

PASSAGES: Final = 5


class ScopeGuardrail:
    """Without a judge whatever is not off-topic for certain is answered: the guard stands behind every answer."""

    def __init__(self, *, judge: ScopeJudge | None = None) -> None:
        self._judge = judge

    async def look(self, question: Question) -> ScopeVerdict:
        """Return what the rules say, else what a search for the message and the one before it finds."""
        book, prompt = question.book, talk(question.history, question.said)
        verdict = by_rules(question.text, known=f"{book.title} {book.author or ''}", goes_on=goes_on(prompt))
        if verdict is not None:
            return verdict
        return by_passages(question.text, await question.search(query_of(prompt), PASSAGES))

    def asks_model(self, verdict: ScopeVerdict) -> bool:
        """Whether `judge` is to be asked, while the answer is already being made."""
        return verdict.is_grey and self._judge is not None

    async def judge(self, question: Question) -> ScopeVerdict:
        """Return what the model says."""
        if self._judge is None:
            raise ValueError("There is no judge to ask.")
        return await self._judge.judge(
            question.text, book=question.book, deadline=question.deadline, on_event=question.log.take
        )


def turned_away(question: Question, verdict: ScopeVerdict) -> TurnOutcome:
    """Return the short reply to what is off-topic."""
    log = question.log
    return TurnOutcome(
        text=off_topic(question.book.title),
        guardrail_score=verdict.score,
        guardrail_reasoning=verdict.reasoning,
        quotes_only=True,
        iterations=log.calls,
    )
