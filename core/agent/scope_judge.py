"""Asks a model whether a message in the grey band is the club's business; it sees the message and the book's name."""

import re
from pathlib import Path
from typing import Final

from core.agent.prompts import SCOPE_PROMPT
from core.agent.response_generator import ResponseGenerator
from core.agent.response_rules import load_rule
from core.agent.scope import THRESHOLD, ScopeVerdict
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.tool_use import GenerationOptions
from core.ports.chat_provider import ChatProvider

_SCORE = re.compile(r"\s*(\d{1,3})\b[\s.:-]*(.*)", re.DOTALL)
_LONGEST_REASON: Final = 200
_NO_ANSWER: Final = ScopeVerdict(score=THRESHOLD, reasoning="no answer from the model")


class ScopeJudge:
    """One short call. Whatever is late or unreadable counts as in scope: the guard stands behind every answer."""

    def __init__(self, *, provider: ChatProvider, prompts_dir: Path, options: GenerationOptions | None = None) -> None:
        self._generator = ResponseGenerator(provider=provider, settings=options)
        self._prompts_dir = prompts_dir

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
            return _NO_ANSWER
        return parse_scope(response.content)


def parse_scope(answer: str) -> ScopeVerdict:
    """Read a score of 0 to 100 and, behind it, the reason."""
    match = _SCORE.match(answer)
    if match is None or int(match[1]) > 100:  # noqa: PLR2004 (a score is a percentage)
        return ScopeVerdict(score=THRESHOLD, reasoning="an answer that is no score")
    reason = " ".join(match[2].split())[:_LONGEST_REASON]
    return ScopeVerdict(score=int(match[1]), reasoning=reason or "a model's verdict")
