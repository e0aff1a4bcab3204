"""Asks a model whether sentences in doubt are supported by read passages. It sees those two things and nothing else."""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.agent.prompts import VERIFIER_PROMPT
from core.agent.response_generator import ResponseGenerator
from core.agent.response_rules import load_rule
from core.domain.chat_event import EventSink
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.passage import SearchResult
from core.domain.tool_use import GenerationOptions
from core.domain.verification import Verify
from core.ports.chat_provider import ChatProvider

_MOST_PASSAGES: Final = 16
_LINE = re.compile(r"\s*(\d{1,3})\s*[.:)]?\s*(SUPPORTED|NOTHING|NOT)\b")


class Support(StrEnum):
    """What became of one sentence. `NOTHING`: it states nothing about the book, and needs no support."""

    SUPPORTED = "SUPPORTED"
    NOTHING = "NOTHING"
    NOT = "NOT"


class Verifier:
    """One call a draft; whatever is unreadable, late or unsure counts as not supported."""

    def __init__(
        self,
        *,
        provider: ChatProvider,
        prompts_dir: Path,
        scope: Verify = Verify.DOUBT,
        options: GenerationOptions | None = None,
    ) -> None:
        self._generator = ResponseGenerator(provider=provider, settings=options)
        self._prompts_dir = prompts_dir
        self.scope = scope

    async def verify(
        self,
        sentences: Sequence[str],
        passages: Sequence[SearchResult],
        *,
        deadline: Deadline | None = None,
        on_event: EventSink | None = None,
    ) -> tuple[Support, ...]:
        """Ask once for all sentences; return one answer for each, in their order. No call is made for none."""
        if not sentences:
            return ()
        rule = load_rule(self._prompts_dir, VERIFIER_PROMPT)
        material = _material(sentences, passages[:_MOST_PASSAGES])
        try:
            response = await self._generator.generate(rule, material, deadline=deadline, on_event=on_event)
        except LLMError:
            return (Support.NOT,) * len(sentences)
        return tuple(parse(response.content if response.is_whole else "", len(sentences)))


def parse(answer: str, count: int) -> list[Support]:
    """Read one verdict for each of `count` sentences: a line each, its number first, then the word, in capitals.

    A sentence without a line is not supported, nor is one that is given two different ones; an answer with a line of
    any other form is unreadable as a whole.
    """
    verdicts: dict[int, set[Support]] = {}
    for line in filter(str.strip, answer.splitlines()):
        match = _LINE.match(line)
        if match is None or not 1 <= int(match[1]) <= count:
            return [Support.NOT] * count
        verdicts.setdefault(int(match[1]), set()).add(Support(match[2]))
    found = [verdicts.get(number, set()) for number in range(1, count + 1)]
    return [next(iter(each)) if len(each) == 1 else Support.NOT for each in found]


def _material(sentences: Sequence[str], passages: Sequence[SearchResult]) -> str:
    read = "\n\n".join(f"[p. {passage.start_page}]\n{passage.text}" for passage in passages) or "(none)"
    numbered = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(sentences, start=1))
    return f"Passages:\n\n{read}\n\nSentences:\n\n{numbered}"
