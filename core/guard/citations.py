"""Finds citations in drafts, checks that a sentence is supported by the page it cites, and shows printed page labels.

Inside the program, citations use page numbers. Posted answers show the book's own page labels.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.book import OF_WORK
from core.language.words import content_stems, words

RESTS_ON: Final = 0.5
"""Least share of a sentence's content words that a page must contain to support it."""

_LONGEST_RANGE = 50
_LEAST_QUOTED = 3
_PAGES_KEPT = 128
_LEADS_IN: Final = content_stems(
    "book text page passage chapter narrator author say says said read reads write writes put puts words"
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]")
QUOTED_LINE: Final = re.compile(r"^>[ ]?(.*)$", re.MULTILINE)
"""A line of an answer that quotes the book, and what it quotes."""
PAGE_NUMBERS: Final = r"\d{1,5}(?:\s*(?:[-–—,;&]|and|to)\s*(?:pp?\.?\s*|pages?\s*)?\d{1,5})*"
"""The pages of a citation, as a pattern: `12`, `3-5`, `7 and 9`."""
_CITATION = re.compile(rf"\b(?:pp?\.|pp?|pages?)\s*({PAGE_NUMBERS})\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(
    rf"(?<!\s)\s*[(\[](?:[^()\[\]]*\b)?(?:pp?\.|pp?|pages?)\s*{PAGE_NUMBERS}[^()\[\]]*[)\]]", re.IGNORECASE
)
_RANGE = re.compile(r"(\d+)\s*(?:[-–—]|to)\s*(?:pp?\.?\s*|pages?\s*)?(\d+)", re.IGNORECASE)
_SHOWN: Final = re.compile(
    rf"[(\[]\s*(?:pp?\.?|pages?)\s*{PAGE_NUMBERS}\s*[)\]]|^\*\*pp?\. \d+(?:-\d+)?(?=\*\*|, )",
    re.IGNORECASE | re.MULTILINE,
)
_PAGES_SHOWN: Final = re.compile(r"(?:(?P<first>\d+)(?P<to>[-–]))?(?P<last>\d+)")
# Note: stands before the number of a page, as in (p. 12).
_PAGE: Final = sentence("p.")
# Note: stands before the numbers of several pages, as in (pp. 12-14).
_PAGES: Final = sentence("pp.")
_MARK: Final = re.compile(rf"\b(?:{re.escape(_PAGES)}|{re.escape(_PAGE)})")


def cited_pages(text: str) -> list[int]:
    """Return the pages that a text cites, each once, in order: `(p. 12)`, `pp. 3-5`, `page 7 and 9`."""
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
    """A sentence of a draft and the read page that supports it.

    Attributes:
        text: the sentence.
        page: the page that it cites, or that its draft cites, and that supports it; None if there is none.
        is_quotation: whether it contains only words of that page in quotation marks and an introduction to them.
    """

    text: str
    page: int | None
    is_quotation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _CitedPage:
    """A page for comparison with sentences: the stems of its content words, and all its words in a line."""

    stems: frozenset[str]
    words: str

    def has(self, phrase: Sequence[str]) -> bool:
        return f" {' '.join(phrase)} " in self.words


@lru_cache(maxsize=_PAGES_KEPT)
def _read(text: str) -> _CitedPage:
    """Return a page for comparison. Cached, since the answers of a club cite the same pages repeatedly."""
    return _CitedPage(stems=content_stems(text), words=f" {' '.join(words(text))} ")


def check_citations(sentences: Sequence[str], pages: Mapping[int, str]) -> list[CitedSentence]:
    """Return for each sentence the page that supports it; without one, its citation is missing or wrong.

    A sentence that cites pages must be supported by one of them or by all together. A sentence without a citation may
    be supported by any page that the draft cites.

    Args:
        sentences: the sentences of a draft, with their citations.
        pages: the texts of the read pages that the draft cites, by number.
    """
    read = {number: _read(page) for number, page in pages.items()}
    own = [cited_pages(sentence) for sentence in sentences]
    everywhere = list(dict.fromkeys(page for cited in own for page in cited))
    return [
        _checked(
            without_citations(sentence),
            {page: read[page] for page in cited or everywhere if page in read},
            names_pages=bool(cited),
        )
        for sentence, cited in zip(sentences, own, strict=True)
    ]


def rests_on(text: str, pages: Mapping[int, str]) -> bool:
    """Whether some pages together support a text, apart from its citations."""
    return _rests_on(content_stems(without_citations(text)), map(_read, pages.values()))


def rests_on_book(text: str) -> bool:
    """Whether an answer quotes the book or cites a page of it."""
    return QUOTED_LINE.search(text) is not None or bool(cited_pages(text))


def with_labels(text: str, name: Callable[[int], str]) -> str:
    """Return a text with printed page labels in its bracketed citations, `(p. 12)`.

    Also changes the line above a passage: `**p. 12, chapter 3**`. "p." is translated to the reader's language. `name`
    returns the printed label of a page (`page_names`).
    """

    def labelled(pages: re.Match[str]) -> str:
        last = name(int(pages["last"]))
        if pages["first"] is None:
            return last
        first, _, book = name(int(pages["first"])).partition(OF_WORK)
        is_one_book = not book or last.endswith(f"{OF_WORK}{book}")
        return f"{first if is_one_book else name(int(pages['first']))}{pages['to']}{last}"

    def shown(citation: re.Match[str]) -> str:
        marked = _MARK.sub(lambda mark: say(mark[0]), citation[0])
        return _PAGES_SHOWN.sub(labelled, marked)

    return _SHOWN.sub(shown, text)


def _checked(sentence: str, cited: Mapping[int, _CitedPage], *, names_pages: bool) -> CitedSentence:
    wanted, quoted = content_stems(sentence), _only_quoted(sentence)
    for number, page in cited.items():
        is_quotation = bool(quoted) and all(map(page.has, quoted))
        if is_quotation or _rests_on(wanted, [page]):
            return CitedSentence(text=sentence, page=number, is_quotation=is_quotation)
    if names_pages and _rests_on(wanted, cited.values()):
        best = max(cited, key=lambda number: len(wanted & cited[number].stems))
        return CitedSentence(text=sentence, page=best)
    return CitedSentence(text=sentence, page=None)


def _rests_on(wanted: frozenset[str], pages: Iterable[_CitedPage]) -> bool:
    """Whether pages together contain enough of a sentence's content words."""
    stems = frozenset[str]().union(*(page.stems for page in pages))
    return bool(wanted) and len(wanted & stems) / len(wanted) >= RESTS_ON


def _only_quoted(sentence: str) -> list[list[str]]:
    """Return the words of each quotation if the rest of the sentence only introduces them ("The book says")."""
    if not content_stems(_QUOTED.sub(" ", sentence)) <= _LEADS_IN:
        return []
    quoted = [words(match) for match in _QUOTED.findall(sentence)]
    return quoted if all(len(each) >= _LEAST_QUOTED for each in quoted) else []
