"""Asks a model which sentences of an answer are supported by read passages.

The model sees the passages, the question and the answer, and nothing else. The passages are the pages that the answer
cites, then passages found for sentences without a citation (`evidence_for`).

The model returns one verdict per numbered sentence, as JSON or as lines. Fences, bold marks, reasons and greetings
around them are ignored. A missing, contradictory or unreadable verdict counts as not supported. A call that fails, is
cut off or has no verdict is repeated once.
"""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.agent.prompts import VERIFIER_PROMPT
from core.agent.response_generator import GeneratedResponse, ResponseGenerator
from core.agent.response_rules import load_rule
from core.domain.chat_event import EventSink
from core.domain.conversation import Role
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.passage import SearchResult, readable
from core.domain.question import Question
from core.domain.tool_use import Deadline, GenerationOptions
from core.domain.verdict import Verdict, Verify
from core.guard.citations import cited_pages, without_citations
from core.language.words import content_stems
from core.ports.books import BookTexts, StoredChunk
from core.ports.chat_provider import ChatProvider

CALLS: Final = 2
"""How many calls are made before the verifier counts as failed."""
_LONGEST_QUESTION: Final = 600

SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "verdict": {"type": "string", "enum": [each.value for each in Verdict]},
                },
                "required": ["number", "verdict"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}
"""The JSON schema of an answer, for providers that support one."""

_WORDS: Final = "|".join(each.value for each in Verdict)
_MARKS: Final = r"[\s*_`\"'|>]{0,20}+"
_LINE = re.compile(
    rf"^{_MARKS}(?:[-•#(\[]{_MARKS})?(?:sentence\s+|no\.?\s*)?(\d{{1,3}}){_MARKS}[\])]?[.:)=–—-]{{0,9}}{_MARKS}[\[(]?{_MARKS}"
    rf"(NOT|UNSUPPORTED|{_WORDS})(?![A-Za-z])",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"\d{1,3}")

_MOST_CITED: Final = 14_000
"""Most characters of cited pages, about 3,500 tokens. If a draft cites more, the best fitting pages are sent."""

_MOST_LETTERS: Final = 7_000
"""Most characters in all up to which found passages and pages cited in earlier turns are added."""

_PIECES_A_SENTENCE: Final = 3
_LEAST_STEMS: Final = 2
_SHARED: Final = 0.4
"""Least share of a sentence's content words that a page cited in an earlier turn must contain to be added."""

_TURNS_BACK: Final = 4

_log = logging.getLogger(__name__)


class Verifier:
    """Verifies a draft with one call, and a second one if that fails. Doubt counts as not supported.

    Args:
        provider: the model.
        prompts_dir: the folder of the prompt files.
        scope: which sentences are verified.
        options: the options of its calls.
        looks_twice: whether to ask again about rejected sentences that all else supports; for a model smaller than
            the one that writes.
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
        self,
        sentences: Sequence[str],
        pages: Mapping[int, str],
        *,
        question: str | None = None,
        deadline: Deadline | None = None,
        on_event: EventSink | None = None,
    ) -> tuple[Sequence[Verdict], int]:
        """Return one verdict for each sentence, in order, and how many calls were made.

        Args:
            sentences: the sentences of the answer in order; no call is made for an empty list.
            pages: texts of read pages by page number.
            question: the question that is answered.
            deadline: the turn's deadline.
            on_event: receives the token usage of the calls.

        Raises:
            LLMError: both calls failed, were cut off, or are unreadable.
        """
        if not sentences:
            return (), 0
        rule = load_rule(self._prompts_dir, VERIFIER_PROMPT)
        material = _material(sentences, pages, question)
        call = 1
        while True:
            try:
                response = await self._generator.generate(rule, material, deadline=deadline, on_event=on_event)
                return _whole_verdicts(response, len(sentences)), call
            except LLMError as error:
                if call == CALLS:
                    raise
                _log.warning("The verifier failed and is asked again: %s", error)
                call += 1


def _whole_verdicts(response: GeneratedResponse, count: int) -> tuple[Verdict, ...]:
    """Return the verdicts of a response. Raises LLMError if it was cut off or has none."""
    if not response.is_whole:
        raise LLMError(LLMErrorCode.BAD_RESPONSE, "the answer was cut off")
    verdicts = read_verdicts(response.content, count)
    if verdicts is None:
        raise LLMError(LLMErrorCode.BAD_RESPONSE, "no verdict can be read")
    return verdicts


def read_verdicts(answer: str, count: int) -> tuple[Verdict, ...] | None:
    """Parse one verdict for each of `count` sentences, in order; None if the answer has none at all."""
    answer = answer[:20_000]
    given: defaultdict[int, set[Verdict]] = defaultdict(set)
    for number, verdict in [*_of_json(answer)] or [*_of_lines(answer)]:
        given[number].add(verdict)
    if given.keys().isdisjoint(range(1, count + 1)):
        return None
    found = (given.get(number, set()) for number in range(1, count + 1))
    return tuple(next(iter(each)) if len(each) == 1 else Verdict.NOT for each in found)


def _material(sentences: Sequence[str], pages: Mapping[int, str], question: str | None) -> str:
    read = "\n\n".join(f"[p. {page}]\n{text}" for page, text in pages.items()) or "(none)"
    numbered = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(sentences, start=1))
    asked = f"Question:\n\n{' '.join(question.split())[:_LONGEST_QUESTION]}\n\n" if question else ""
    return f"Passages:\n\n{read}\n\n{asked}Sentences:\n\n{numbered}"


def _of_lines(answer: str) -> Iterator[tuple[int, Verdict]]:
    for number, word in _LINE.findall(answer):
        yield int(number), _verdict(word)


def _of_json(answer: str) -> Iterator[tuple[int, Verdict]]:
    for number, verdict in _pairs(_loaded(answer)):
        if _NUMBER.fullmatch(str(number)) and isinstance(verdict, str):
            yield int(str(number)), _verdict(verdict)


def _loaded(answer: str) -> object:
    spans = [(answer.find(opens), answer.rfind(closes) + 1) for opens, closes in ("{}", "[]")]
    start, end = min((span for span in spans if 0 <= span[0] < span[1]), default=(0, 0))
    try:
        given: object = json.loads(answer[start:end])
    except (ValueError, RecursionError):
        return None
    return given.get("verdicts", given) if isinstance(given, dict) else given


def _pairs(given: object) -> Iterable[tuple[object, object]]:
    if isinstance(given, dict):
        return given.items()
    items = given if isinstance(given, list) else []
    return [(item.get("number"), item.get("verdict")) for item in items if isinstance(item, dict)]


def _verdict(word: str) -> Verdict:
    """Return the verdict that a word names; an unknown word counts as not supported."""
    return Verdict.__members__.get(word.strip().upper(), Verdict.NOT)


async def evidence_for(
    sentences: Sequence[str], cited_texts: Mapping[int, str], question: Question, books: BookTexts
) -> Mapping[int, str]:
    """Return texts of read pages by number as evidence for sentences of a draft, most relevant first.

    `cited_texts` are the texts of the pages that the draft cites.
    """
    cited = [_read_pages(cited_pages(sentence), question) for sentence in sentences]
    earlier = _cited_earlier(question)
    pages = {**await texts_of(set(earlier).difference(cited_texts), question, books), **cited_texts}
    shown: dict[int, str] = {}
    _fill(shown, _in_turn(sentences, cited, pages), pages, most=_MOST_CITED)
    bare = [without_citations(each) for each, own in zip(sentences, cited, strict=True) if not own]
    stated = [each for each in bare if len(content_stems(each)) >= _LEAST_STEMS]
    likely = [
        page for page in earlier if page in pages and any(_share(each, pages[page]) >= _SHARED for each in stated)
    ]
    _fill(shown, likely, pages, most=_MOST_LETTERS)
    for sentence in stated:
        found = texts_by_page(await question.search(sentence, _PIECES_A_SENTENCE))
        _fill(shown, found, found, most=_MOST_LETTERS)
    return shown


def texts_by_page(pieces: Iterable[StoredChunk | SearchResult]) -> dict[int, str]:
    """Return the texts of pieces by the page where they begin; pieces of one page are joined."""
    texts: dict[int, str] = {}
    for piece in pieces:
        texts[piece.start_page] = f"{texts.get(piece.start_page, '')}\n{piece.text}".strip()
    return texts


def _read_pages(pages: Iterable[int], question: Question) -> list[int]:
    return [page for page in pages if 0 < page <= (question.position or 0)]


def _cited_earlier(question: Question) -> list[int]:
    """Return the pages cited in the latest answers, latest first."""
    answers = [message.content for message in question.history if message.role is Role.ASSISTANT][-_TURNS_BACK:]
    return list(dict.fromkeys(page for said in reversed(answers) for page in _read_pages(cited_pages(said), question)))


async def texts_of(pages: Iterable[int], question: Question, books: BookTexts) -> dict[int, str]:
    """Return the texts of the read ones among some pages."""
    wanted = sorted(set(_read_pages(pages, question)))
    if not wanted:
        return {}
    return texts_by_page(await books.chunks_of_pages(readable(question.book, question.position), wanted))


def _in_turn(sentences: Sequence[str], cited: Sequence[Sequence[int]], pages: Mapping[int, str]) -> list[int]:
    """Return the cited pages: the best fitting page of each sentence, then the second best, and so on."""
    ranked = [
        sorted((page for page in own if page in pages), key=lambda page: -_share(sentence, pages[page]))
        for sentence, own in zip(sentences, cited, strict=True)
    ]
    depth = max(map(len, ranked), default=0)
    return list(dict.fromkeys(each[at] for at in range(depth) for each in ranked if at < len(each)))


def _share(sentence: str, page: str) -> float:
    """Return the share of a sentence's content words that are on a page."""
    wanted = content_stems(without_citations(sentence))
    return len(wanted & content_stems(page)) / len(wanted) if wanted else 0.0


def _fill(shown: dict[int, str], order: Iterable[int], pages: Mapping[int, str], *, most: int) -> None:
    """Add whole pages as long as they fit into `most` characters; the first one is always added."""
    for page in order:
        letters = sum(map(len, shown.values()))
        if page not in shown and (not shown or letters + len(pages[page]) <= most):
            shown[page] = pages[page]
