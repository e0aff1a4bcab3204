"""Which pages a draft cites, and whether a sentence rests on the page that it names (cite or cut)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.text.sentences import sentences
from core.text.words import content_stems, words

RESTS_ON: Final = 0.5
"""Least share of a sentence's words of matter that a page must hold for the sentence to rest on it."""

_LONGEST_RANGE = 50
_LEAST_QUOTED = 3
_PAGES_KEPT = 128
_LEADS_IN: Final = content_stems(
    "book text page passage chapter narrator author say says said read reads write writes put puts words"
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
PAGE_NUMBERS: Final = r"\d{1,5}(?:\s*(?:[-–—,;&]|and|to)\s*(?:pp?\.?\s*|pages?\s*)?\d{1,5})*"
"""The pages of a citation, as a pattern: `12`, `3-5`, `7 and 9`."""
_CITATION = re.compile(rf"\b(?:pp?\.|pp?|pages?)\s*({PAGE_NUMBERS})\b", re.IGNORECASE)
_BRACKETS = rf"(?<!\s)\s*[(\[](?:[^()\[\]]*\b)?(?:pp?\.|pp?|pages?)\s*{PAGE_NUMBERS}[^()\[\]]*[)\]]"
_IN_BRACKETS = re.compile(_BRACKETS, re.IGNORECASE)
_BEHIND = re.compile(rf"([.!?…][\"”’]*)({_BRACKETS})", re.IGNORECASE)
_RANGE = re.compile(r"(\d+)\s*(?:[-–—]|to)\s*(?:pp?\.?\s*|pages?\s*)?(\d+)", re.IGNORECASE)


def cited_pages(text: str) -> list[int]:
    """Return the pages that a text names, each once, in their order: `(p. 12)`, `pp. 3-5`, `page 7 and 9`."""
    found: dict[int, None] = {}
    for match in _CITATION.finditer(text):
        for low, high in _RANGE.findall(match[1]):
            if 0 < int(high) - int(low) <= _LONGEST_RANGE:
                found.update(dict.fromkeys(range(int(low), int(high) + 1)))
        found.update(dict.fromkeys(int(number) for number in re.findall(r"\d+", match[1])))
    return list(found)


def without_citations(text: str) -> str:
    """Return the text without its bracketed citations."""
    return _IN_BRACKETS.sub("", text).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """A sentence of a draft, and the read page that it names or shares and rests on; None where there is none.

    A quotation is what holds nothing but words as that page has them, and what leads in to them.
    """

    text: str
    page: int | None
    is_quotation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page as a sentence is compared with it: the stems of its words of matter, and all its words in a line."""

    stems: frozenset[str]
    words: str

    def has(self, phrase: Sequence[str]) -> bool:
        return f" {' '.join(phrase)} " in self.words


@lru_cache(maxsize=_PAGES_KEPT)
def _read(text: str) -> _Page:
    """Return a page to be compared with; kept, since the answers of a club cite the same pages again and again."""
    return _Page(stems=content_stems(text), words=f" {' '.join(words(text))} ")


def check_citations(text: str, judged: Sequence[str], pages: Mapping[int, str]) -> list[CitedSentence]:
    """Find for each sentence the page that it rests on; without one, its citation is missing or wrong.

    `judged` are the sentences of `text` in their order, with or without their citations; `pages` are the texts of read
    pages that are cited. A sentence that names pages must rest on one of them; one that names none may rest on any
    page that its draft cites. A citation behind a full stop belongs to the sentence before it.
    """
    read = {number: _read(page) for number, page in pages.items()}
    everywhere = cited_pages(text)
    return [
        _checked(without_citations(sentence), {page: read[page] for page in cited or everywhere if page in read})
        for sentence, cited in zip(judged, _own_citations(text, judged), strict=True)
    ]


def _checked(sentence: str, cited: Mapping[int, _Page]) -> CitedSentence:
    for number, page in cited.items():
        is_quotation = _only_quotes(sentence, page)
        if is_quotation or _rests_on(sentence, page):
            return CitedSentence(text=sentence, page=number, is_quotation=is_quotation)
    return CitedSentence(text=sentence, page=None)


def _own_citations(text: str, judged: Sequence[str]) -> list[list[int]]:
    """Return the pages that each sentence names; a sentence is known again by its words."""
    written = [(words(without_citations(raw)), cited_pages(raw)) for raw in sentences(_BEHIND.sub(r" \2\1", text))]
    found: list[list[int]] = []
    begin = 0
    for sentence in judged:
        wanted = words(without_citations(sentence))
        at = next((at for at in range(begin, len(written)) if written[at][0] == wanted), None)
        found.append([] if at is None else written[at][1])
        begin = begin if at is None else at + 1
    return found


def _rests_on(sentence: str, page: _Page) -> bool:
    wanted = content_stems(sentence)
    return bool(wanted) and len(wanted & page.stems) / len(wanted) >= RESTS_ON


def _only_quotes(sentence: str, page: _Page) -> bool:
    """Whether a sentence is a quotation, as the page has it, with what leads in to it ("The book says") at most."""
    quoted = [words(match) for match in _QUOTED.findall(sentence)]
    leads_in = content_stems(_QUOTED.sub(" ", sentence)) <= _LEADS_IN
    return leads_in and bool(quoted) and all(len(each) >= _LEAST_QUOTED and page.has(each) for each in quoted)
