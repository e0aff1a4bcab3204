"""The two models of `benchmarks.natural`: a writer that says a given draft, a verifier that answers by its labels.

The verifier knows a sentence by its text and by nothing else, so that what is measured is what reaches it and what
follows from its verdicts. One that no label fits is an error: then the benchmark measures something else than it says.
"""

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.agent.prompts import SCOPE_PROMPT, VERIFIER_PROMPT
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.guard.citations import cited_pages
from core.guard.verifier import REMOVED
from core.language.words import words
from core.ports.chat_provider import ChatProvider

BAD: Final = frozenset({"leak", "unsupported"})
GOOD: Final = frozenset({"supported", "opinion"})
LETTERS_A_TOKEN: Final = 4
_KNOWN_BY: Final = 30
_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_SENTENCES: Final = "Sentences:\n"
_SHOWN: Final = re.compile(r"^\[p\. (\d+)\]$", re.MULTILINE)
_CITATION = re.compile(r"\s*[(\[][^()\[\]]*\bpp?\.? ?\d[^()\[\]]*[)\]]")
_VERDICTS: Final = {
    "opinion": "OPINION",
    "talk": "TALK",
    "abstain": "ABSTAIN",
    "leak": "NOT",
    "unsupported": "NOT",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSentence:
    """A sentence of a draft, what it is, and of each page that says it its number and a few words."""

    text: str
    label: str
    evidence: tuple[tuple[int, str], ...] = ()

    @property
    def key(self) -> str:
        """Its words alone: how it is known again."""
        return key_of(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDraft:
    """An answer to somebody's question at a page, labelled sentence by sentence."""

    draft_id: str
    page: int
    question: str
    asked_by: str
    is_honest: bool
    text: str
    sentences: tuple[LabelledSentence, ...]

    @property
    def without_bad(self) -> str:
        """What a writer gives who is asked once more: the draft without what was wrong with it."""
        return " ".join(each.text for each in self.sentences if each.label not in BAD)


@dataclass(slots=True, kw_only=True)
class Calls:
    """What one question took: calls of each kind, what the verifier was asked, and tokens by letters."""

    writer: int = 0
    scope: int = 0
    verifier: int = 0
    verifier_tokens: list[int] = field(default_factory=list)
    verifier_prompts: list[str] = field(default_factory=list)
    tokens: int = 0
    asked_about: set[str] = field(default_factory=set)

    @property
    def all(self) -> int:
        """Every call that was made."""
        return self.writer + self.scope + self.verifier


class NaturalModel(ChatProvider):
    """Writes `draft`, and verifies it by its labels; of its verdicts a share `errs` are wrong, drawn by `seed`.

    Args:
        prompts_dir: where the rules are that tell its kinds of calls apart.
        verifier: who is asked in its place to verify: a real model.
        draws_anew: it errs anew in every call; else it says the same of a sentence whenever it is asked.
    """

    name = "scripted"
    model = "scripted-1"

    def __init__(
        self,
        prompts_dir: Path,
        *,
        errs: float = 0.0,
        seed: int = 0,
        verifier: ChatProvider | None = None,
        draws_anew: bool = False,
    ) -> None:
        self._verifies = rule_beginning(prompts_dir, VERIFIER_PROMPT)
        self._judges = rule_beginning(prompts_dir, SCOPE_PROMPT)
        self._errs = errs
        self._seed = seed
        self._verifier = verifier
        self._draws_anew = draws_anew
        self.calls = Calls()
        self.draft = LabelledDraft(draft_id="", page=1, question="", asked_by="", is_honest=True, text="", sentences=())

    def says(self, draft: LabelledDraft) -> None:
        """Say this draft from now on."""
        self.draft, self.calls = draft, Calls()

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Verify, judge, or write."""
        system, asked = messages[0].content, messages[-1].content
        if system.startswith(self._judges):
            self.calls.scope += 1
            return ChatResponse(text="90 about the book")
        if not system.startswith(self._verifies):
            return self._written(messages)
        self.calls.verifier += 1
        self.calls.verifier_tokens.append(self._counted(messages))
        self.calls.verifier_prompts.append(asked)
        verdicts = dict(self._verdicts(asked))
        if self._verifier is not None:
            return await self._verifier.chat(messages, options)
        return ChatResponse(text="\n".join(f"{number} {verdict}" for number, verdict in verdicts.items()))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Write; it asks for no tool, since passages go along with the question."""
        if not tools:
            return await self.chat(messages, options)
        self.calls.tokens += len(json.dumps([[each.description, each.parameters] for each in tools])) // LETTERS_A_TOKEN
        return self._written(messages)

    def _written(self, messages: Sequence[PromptMessage]) -> ChatResponse:
        self.calls.writer += 1
        self._counted(messages)
        text = self.draft.without_bad if messages[-1].is_reminder else self.draft.text
        if not text:
            raise LLMError(LLMErrorCode.BAD_RESPONSE, "nothing is left to say")
        return ChatResponse(text=text)

    def _counted(self, messages: Sequence[PromptMessage]) -> int:
        tokens = sum(len(message.content) for message in messages) // LETTERS_A_TOKEN
        self.calls.tokens += tokens
        return tokens

    def _verdicts(self, asked: str) -> Iterator[tuple[str, str]]:
        passages, _, sentences = asked.rpartition(_SENTENCES)
        shown = [int(page) for page in _SHOWN.findall(passages)]
        for number, text in _NUMBERED.findall(sentences):
            if text == REMOVED:
                continue
            told = self._labels(key_of(text))
            if not told:
                raise AssertionError(f"{self.draft.draft_id}: no label fits {text!r}")
            self.calls.asked_about.update(each.key for each in told)
            is_wrong = any(each.label in BAD for each in told)
            if self._slips(text):
                yield number, "OPINION" if is_wrong else "NOT"
            elif told[0].label == "supported" and not is_wrong:
                yield number, f"SUPPORTED p{_page_of(told[0], shown)}"
            else:
                yield number, "NOT" if is_wrong else _VERDICTS[told[0].label]

    def _labels(self, key: str) -> list[LabelledSentence]:
        """Return the labelled sentences that a text is, holds, or is a part of."""
        return [each for each in self.draft.sentences if key and (each.key in key or key in each.key)]

    def _slips(self, text: str) -> bool:
        drawn_by = f"{self._seed} {self.draft.draft_id} {key_of(text)}"
        if self._draws_anew:
            drawn_by += str(self.calls.verifier)
        drawn = zlib.crc32(drawn_by.encode()) / 2**32
        return drawn < self._errs


def _page_of(sentence: LabelledSentence, shown: Sequence[int]) -> int:
    """Return the page that says a sentence, one that is shown where there is one."""
    pages = [page for page, _ in sentence.evidence] or [*cited_pages(sentence.text), *shown]
    return next((page for page in pages if page in shown), pages[0])


def read_drafts(folder: Path) -> list[LabelledDraft]:
    """Read the drafts of a labelled book; none where it has none."""
    file = folder / "drafts.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return [_draft(json.loads(line)) for line in lines]


def key_of(text: str) -> str:
    """Return the words of a text in a line, without its citations."""
    return f" {' '.join(words(_CITATION.sub('', text)))} "


def _draft(line: dict[str, Any]) -> LabelledDraft:
    return LabelledDraft(
        draft_id=line["id"],
        page=line["page"],
        question=line["question"],
        asked_by=line.get("asked_by") or "",
        is_honest=line["kind"] == "honest",
        text=line["draft"],
        sentences=tuple(
            LabelledSentence(
                text=each["text"],
                label=each["label"],
                evidence=tuple((support["page"], support["evidence"]) for support in each.get("support") or ()),
            )
            for each in line["sentences"]
        ),
    )


def rule_beginning(prompts_dir: Path, name: str) -> str:
    """Return how a rule's text begins, by which its calls are told apart."""
    return (prompts_dir / name).read_text(encoding="utf-8").rpartition("---\n")[2].lstrip()[:_KNOWN_BY]
