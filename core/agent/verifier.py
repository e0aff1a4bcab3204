"""Asks a model which sentences of an answer rest on read passages. It sees those, the question and the answer alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.agent.prompts import VERIFIER_PROMPT
from core.agent.response_generator import ResponseGenerator
from core.agent.response_rules import load_rule
from core.agent.verdicts import SCHEMA, read_verdicts
from core.domain.chat_event import EventSink
from core.domain.deadline import Deadline
from core.domain.errors import LLMError
from core.domain.tool_use import GenerationOptions
from core.domain.verification import Verdict, Verify
from core.ports.chat_provider import ChatProvider

_LONGEST_QUESTION: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class ToVerify:
    """What a verifier is shown: the sentences of an answer in order, the question, and texts of read pages by page."""

    sentences: Sequence[str]
    pages: Mapping[int, str]
    question: str | None = None


class Verifier:
    """One call a draft; whatever is unreadable, late or unsure counts as not supported.

    Args:
        provider: the model.
        prompts_dir: where its rule is.
        scope: which sentences it is asked about.
        options: of its calls.
        looks_twice: it is a smaller model than the one that writes, and is asked once more about what it says no to
            where all else bears that out.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        prompts_dir: Path,
        scope: Verify = Verify.ALL,
        options: GenerationOptions | None = None,
        looks_twice: bool = False,
    ) -> None:
        self._generator = ResponseGenerator(
            provider=provider, settings=replace(options or GenerationOptions(), answer_schema=SCHEMA)
        )
        self._prompts_dir = prompts_dir
        self.scope = scope
        self.looks_twice = looks_twice

    async def verify(
        self, shown: ToVerify, *, deadline: Deadline | None = None, on_event: EventSink | None = None
    ) -> tuple[Verdict, ...]:
        """Ask once for all sentences; return one verdict for each, in their order. No call is made for none."""
        count = len(shown.sentences)
        if not count:
            return ()
        rule = load_rule(self._prompts_dir, VERIFIER_PROMPT)
        try:
            response = await self._generator.generate(rule, _material(shown), deadline=deadline, on_event=on_event)
        except LLMError:
            return (Verdict.NOT,) * count
        return read_verdicts(response.content if response.is_whole else "", count)


def _material(shown: ToVerify) -> str:
    read = "\n\n".join(f"[p. {page}]\n{text}" for page, text in shown.pages.items()) or "(none)"
    numbered = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(shown.sentences, start=1))
    parts = [f"Passages:\n\n{read}"]
    if shown.question:
        parts.append(f"Question:\n\n{' '.join(shown.question.split())[:_LONGEST_QUESTION]}")
    return "\n\n".join([*parts, f"Sentences:\n\n{numbered}"])
