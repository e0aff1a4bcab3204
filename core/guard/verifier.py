"""Asks a model which sentences of an answer are supported by read passages.

The model sees the passages, the question and the answer, and nothing else. The passages are the pages that the answer
cites, then passages found for sentences without a citation (`evidence_for`).

The model returns one line per numbered sentence: its verdict, the page that supports it, and the sentence that it leans
on (`4 OPINION p71 <3`). A missing, contradictory or unreadable verdict counts as not supported. A call that fails, is
cut off or has no verdict is repeated once.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from core.domain.verdict import BACKGROUND_MARK, Verdict, Verify
from core.guard.citations import cited_pages, without_citations
from core.language.words import content_stems, language_of
from core.ports.books import BookTexts, StoredChunk
from core.ports.chat_provider import ChatProvider

CALLS: Final = 2
"""How many calls are made before the verifier counts as failed."""
_LONGEST_QUESTION: Final = 600

REMOVED: Final = "[removed]"
"""What the model sees in place of a sentence that was removed before."""

_WORDS: Final = "|".join(each.value for each in Verdict)
_MARKS: Final = r"[\s*_`\"'|>]{0,20}+"
_LINE = re.compile(
    rf"^{_MARKS}(?:[-•#(\[]{_MARKS})?(?:sentence\s+|no\.?\s*)?(\d{{1,3}}){_MARKS}[\])]?[.:)=–—-]{{0,9}}{_MARKS}[\[(]?{_MARKS}"
    rf"(UNSUPPORTED|{_WORDS})(?![A-Za-z])(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LEANS_ON = re.compile(r"<\s?(\d{1,3})")

_MOST_CITED: Final = 24_000
"""Most characters of cited pages, about 6,000 tokens. If a draft cites more, only the paragraphs that fit are sent."""

_PARAGRAPHS_A_SENTENCE: Final = 2

_MOST_LETTERS: Final = 7_000
"""Most characters in all up to which found passages and pages cited in earlier turns are added."""

_PIECES_A_SENTENCE: Final = 3
_LEAST_STEMS: Final = 2
_SHARED: Final = 0.4
"""Least share of a sentence's content words that a page cited in an earlier turn must contain to be added."""

_TURNS_BACK: Final = 4
_OF_CLUB: Final = 0
"""The number of the page that lines about the club are shown as."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What the model says of one sentence; `leans_on` are the places of the sentences that it needs, from 0."""

    verdict: Verdict
    leans_on: frozenset[int] = frozenset()


class Verifier:
    """Verifies a draft with one call, and a second one if that fails. Doubt counts as not supported.

    Args:
        provider: the model.
        prompts_dir: the folder of the prompt files.
        scope: which sentences are verified.
        options: the options of its calls.
        looks_twice: whether to ask again about rejected sentences that all else supports; for a model smaller than
            the one that writes.
        background: whether marked general knowledge needs no page.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        prompts_dir: Path,
        scope: Verify = Verify.ALL,
        options: GenerationOptions | None = None,
        looks_twice: bool = False,
        background: bool = False,
    ) -> None:
        self._generator = ResponseGenerator(provider=provider, settings=options)
        self._prompts_dir = prompts_dir
        self.scope = scope
        self.looks_twice = looks_twice
        self.background = background

    async def verify(
        self,
        sentences: Sequence[str | None],
        pages: Mapping[int, str],
        *,
        question: str | None = None,
        deadline: Deadline | None = None,
        on_event: EventSink | None = None,
    ) -> tuple[Sequence[Verified], int]:
        """Return one verdict for each sentence, in order, and how many calls were made.

        Args:
            sentences: the sentences of the answer in order, None for one that was removed; no call is made for an
                empty list.
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
        variables = {"background": BACKGROUND_MARK if self.background else ""}
        material = _material(sentences, pages, question)
        call = 1
        while True:
            try:
                response = await self._generator.generate(
                    rule, material, variables=variables, deadline=deadline, on_event=on_event
                )
                return self._allowed(_whole_verdicts(response, len(sentences), pages)), call
            except LLMError as error:
                if call == CALLS:
                    raise
                _log.warning("The verifier failed and is asked again: %s", error)
                call += 1

    def _allowed(self, verdicts: Sequence[Verified]) -> Sequence[Verified]:
        """Return the verdicts; where background is off, it is not supported."""
        if self.background:
            return verdicts
        return [replace(each, verdict=Verdict.NOT) if each.verdict is Verdict.BACKGROUND else each for each in verdicts]


def _whole_verdicts(response: GeneratedResponse, count: int, pages: Collection[int]) -> tuple[Verified, ...]:
    """Return the verdicts of a response. Raises LLMError if it was cut off or has none."""
    if not response.is_whole:
        raise LLMError(LLMErrorCode.BAD_RESPONSE, "the answer was cut off")
    verdicts = read_verdicts(response.content, count, pages)
    if verdicts is None:
        raise LLMError(LLMErrorCode.BAD_RESPONSE, "no verdict can be read")
    return verdicts


def read_verdicts(answer: str, count: int, pages: Collection[int]) -> tuple[Verified, ...] | None:
    """Parse one verdict for each of `count` sentences, in order; None if the answer has none at all.

    `pages` are those that the model was shown; a verdict that names another one counts as not supported.
    """
    given: defaultdict[int, list[Verified]] = defaultdict(list)
    for number, word, rest in _LINE.findall(answer[:20_000]):
        given[int(number)].append(_verified(word, rest, pages))
    if given.keys().isdisjoint(range(1, count + 1)):
        return None
    return tuple(_only(given[number]) for number in range(1, count + 1))


def _verified(word: str, rest: str, pages: Collection[int]) -> Verified:
    """Return what a line says. SUPPORTED needs a page; every page must be one of `pages`."""
    verdict = Verdict.__members__.get(word.upper(), Verdict.NOT)
    named = cited_pages(rest)
    is_shown = all(page in pages for page in named) and bool(named or verdict is not Verdict.SUPPORTED)
    leans_on = frozenset(int(number) - 1 for number in _LEANS_ON.findall(rest))
    return Verified(verdict=verdict if is_shown else Verdict.NOT, leans_on=leans_on)


def _only(given: Sequence[Verified]) -> Verified:
    """Return the one verdict on a sentence; none, or two that differ, is not supported."""
    verdicts = {each.verdict for each in given}
    verdict = next(iter(verdicts)) if len(verdicts) == 1 else Verdict.NOT
    return Verified(verdict=verdict, leans_on=frozenset().union(*(each.leans_on for each in given)))


def _material(sentences: Sequence[str | None], pages: Mapping[int, str], question: str | None) -> str:
    read = "\n\n".join(f"[p. {page}]\n{text}" for page, text in pages.items()) or "(none)"
    numbered = "\n".join(f"{at}. {' '.join((text or REMOVED).split())}" for at, text in enumerate(sentences, start=1))
    asked = f"Question:\n\n{' '.join(question.split())[:_LONGEST_QUESTION]}\n\n" if question else ""
    return f"Passages:\n\n{read}\n\n{asked}Sentences:\n\n{numbered}"


async def evidence_for(
    sentences: Sequence[str], cited_texts: Mapping[int, str], question: Question, books: BookTexts
) -> Mapping[int, str]:
    """Return texts of read pages by number as evidence for sentences of a draft, most relevant first.

    `cited_texts` are the texts of the pages that the draft cites. Lines about the club come first, as page 0. A draft
    in another language shares few words with the pages: then they are sent whole, and so are those of earlier turns.
    """
    cited = [_read_pages(cited_pages(sentence), question) for sentence in sentences]
    earlier = _cited_earlier(question)
    pages = {**await texts_of(set(earlier).difference(cited_texts), question, books), **cited_texts}
    is_foreign = _is_foreign(sentences, pages.values())
    pages |= _fitting(cited_texts, sentences, is_foreign=is_foreign)
    least = 0.0 if is_foreign else _SHARED
    shown = {_OF_CLUB: question.aside} if question.aside else {}
    _fill(shown, _in_turn(sentences, cited, pages), pages, most=_MOST_CITED)
    bare = [without_citations(each) for each, own in zip(sentences, cited, strict=True) if not own]
    stated = [each for each in bare if len(content_stems(each)) >= _LEAST_STEMS]
    likely = {page: pages[page] for page in earlier if page in pages}
    _fill(shown, _sharing(stated, likely, least=least), pages, most=_MOST_LETTERS)
    for sentence in stated:
        found = texts_by_page(await question.search(sentence, _PIECES_A_SENTENCE))
        _fill(shown, found, found, most=_MOST_LETTERS)
    return shown


def _sharing(sentences: Collection[str], pages: Mapping[int, str], *, least: float) -> list[int]:
    """Return the pages that contain at least this share of a sentence's content words."""
    return [page for page, text in pages.items() if any(_share(each, text) >= least for each in sentences)]


def _is_foreign(sentences: Iterable[str], pages: Iterable[str]) -> bool:
    """Whether a draft is clearly in another language than the pages."""
    written, read = (language_of(" ".join(texts)) for texts in (sentences, pages))
    return None not in {written, read} and written != read


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


def _fitting(texts: Mapping[int, str], sentences: Sequence[str], *, is_foreign: bool) -> Mapping[int, str]:
    """Return the texts of cited pages: whole if they are short or no words are shared, else the paragraphs that fit."""
    if is_foreign or sum(map(len, texts.values())) <= _MOST_CITED:
        return texts
    return {
        page: _paragraphs(text, [each for each in sentences if page in cited_pages(each)])
        for page, text in texts.items()
    }


def _paragraphs(text: str, sentences: Iterable[str]) -> str:
    """Return the paragraphs of a page that fit some sentences best."""
    paragraphs = [each for each in text.split("\n") if each]
    kept: set[str] = set()
    for sentence in sentences:
        ranked = sorted(paragraphs, key=partial(_share, sentence), reverse=True)
        kept.update(ranked[:_PARAGRAPHS_A_SENTENCE])
    return "\n".join(each for each in paragraphs if each in kept)


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
