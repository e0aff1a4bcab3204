"""Chooses the read sentences that fit a question best; pure, so that its threshold can be fitted and tested."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from core.domain.passage import SearchResult
from core.text.sentences import FlatSentences, flat_sentences, word_count
from core.text.words import content_stems, content_words, stem_words

FIT_THRESHOLD: Final = 0.22
"""Least share of the question's weight that a quoted sentence must hold; fitted by `benchmarks/quoting_threshold.py`,
error rates in ADR 0007."""

MOST_WORDS: Final = 150
"""An answer quotes at most this many words of the book (spec section 5)."""

_MOST_QUOTATIONS: Final = 3
_PASSAGES_KEPT: Final = 512
_MOST_WORDS_EACH: Final = 70
_SHORT_SENTENCE: Final = 14
_LONGEST_HEADING: Final = 15
_NEAR_BEST: Final = 0.2
_SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')]*\s+")
_ENDS_IN_PROSE = re.compile(r"[.!?…,;:—][”’\"')\]]*$")

# What a question is made of when it asks about a book, and what is no question at all: neither finds a sentence.
_ABOUT_BOOKS = content_stems(
    "become became happen happened end ends ending finish book chapter story novel page author plot next "
    "hello hi hey thanks thank bye goodbye morning evening"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Sentences of one passage, verbatim but for folded white space; `fit` is 0 to 1."""

    text: str
    fit: float
    passage: SearchResult

    @property
    def page(self) -> int:
        """The page it stands on."""
        return self.passage.start_page


def choose_quotations(
    question: str, passages: Sequence[SearchResult], *, threshold: float = FIT_THRESHOLD
) -> list[Quotation]:
    """Return at most three quotations, one a passage, in the order of the book; empty where nothing fits.

    `passages` are given best first: a passage's rank counts beside how well its best sentence fits, and what fits much
    worse than the best is left out.
    """
    ranked = [(1 / rank, best) for rank, best in enumerate(best_sentences(question, passages), start=1) if best]
    ranked.sort(key=lambda pair: -(pair[0] + pair[1].fit))
    enough = max(threshold, _NEAR_BEST * max((best.fit for _, best in ranked), default=0.0))
    chosen: list[Quotation] = []
    room = MOST_WORDS
    for _, quotation in ranked:
        length = word_count(quotation.text)
        if quotation.fit >= enough and length <= room and len(chosen) < _MOST_QUOTATIONS:
            chosen.append(quotation)
            room -= length
    return _in_order(chosen)


def together(first: Sequence[Quotation], others: Sequence[Quotation]) -> list[Quotation]:
    """Return as many quotations as an answer may hold, the first ones before the others, in the order of the book."""
    chosen: list[Quotation] = []
    for quotation in (*first, *others):
        room = MOST_WORDS - sum(word_count(each.text) for each in chosen)
        is_new = all(quotation.text not in each.text and each.text not in quotation.text for each in chosen)
        if is_new and word_count(quotation.text) <= room and len(chosen) < _MOST_QUOTATIONS:
            chosen.append(quotation)
    return _in_order(chosen)


def best_sentences(question: str, passages: Sequence[SearchResult]) -> list[Quotation | None]:
    """Give for each passage the sentence that holds most of the question's weight; None where none holds any."""
    read = [_read(passage.text) for passage in passages]
    weights = _weights(sorted(content_stems(question) - _ABOUT_BOOKS), read)
    return [_best_sentence(passage, each, weights) for passage, each in zip(passages, read, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadPassage:
    """A passage as it is compared with a question: its sentences, and in which of them each stem stands."""

    flat: FlatSentences
    sentences_with: Mapping[str, Sequence[int]]


@lru_cache(maxsize=_PASSAGES_KEPT)
def _read(text: str) -> _ReadPassage:
    """Divide a passage; kept, since a club's questions find the same pages again and again."""
    flat = flat_sentences(text)
    sentences_with: dict[str, list[int]] = {}
    for at, (start, end) in enumerate(pairwise(flat.cuts)):
        for stem in dict.fromkeys(stem_words(content_words(flat.text[start:end]))):
            sentences_with.setdefault(stem, []).append(at)
    return _ReadPassage(flat=flat, sentences_with=sentences_with)


def _best_sentence(passage: SearchResult, read: _ReadPassage, weights: Mapping[str, float]) -> Quotation | None:
    held: dict[int, float] = {}
    for stem, weight in weights.items():
        for at in read.sentences_with.get(stem, ()):
            held[at] = held.get(at, 0.0) + weight
    prose = [at for at in sorted(held) if not _is_heading(read.flat, at)]
    best = max(prose, key=lambda at: held[at], default=None)
    if best is None:
        return None
    return Quotation(text=_quoted(read.flat, best, weights), fit=held[best] / sum(weights.values()), passage=passage)


def _in_order(quotations: Iterable[Quotation]) -> list[Quotation]:
    return sorted(quotations, key=lambda quotation: (quotation.page, quotation.passage.chunk_id))


def _weights(wanted: Iterable[str], passages: Sequence[_ReadPassage]) -> dict[str, float]:
    """Weigh a stem by its rarity among the passages: what all of them hold tells them apart least."""
    count = len(passages)
    frequency = {stem: sum(stem in passage.sentences_with for passage in passages) for stem in wanted}
    return {stem: math.log1p((count - found + 0.5) / (found + 0.5)) for stem, found in frequency.items()}


def _is_heading(flat: FlatSentences, at: int) -> bool:
    """Whether a sentence is a paragraph of its own that is not written as prose: a title, a date, a signature."""
    start, end = flat.cuts[at], flat.cuts[at + 1]
    alone = end in flat.paragraph_ends and (at == 0 or start in flat.paragraph_ends)
    text = flat.text[start:end].strip()
    title_like = text.isupper() or not _ENDS_IN_PROSE.search(text)
    return alone and title_like and word_count(text) <= _LONGEST_HEADING


def _quoted(flat: FlatSentences, at: int, weights: Mapping[str, float]) -> str:
    """Quote a sentence as it stands; a short one with the next of its paragraph, of a long one the best stretch."""
    start, end = flat.cuts[at], flat.cuts[at + 1]
    text = flat.text[start:end].strip()
    if word_count(text) > _MOST_WORDS_EACH:
        return _best_stretch(text, weights)
    if end in flat.paragraph_ends or word_count(text) >= _SHORT_SENTENCE:
        return text
    with_next = flat.text[start : flat.cuts[at + 2]].strip()
    return with_next if word_count(with_next) <= _MOST_WORDS_EACH else text


def _best_stretch(text: str, weights: Mapping[str, float]) -> str:
    """Cut a long speech around what fits best, at sentence ends within it where there are any."""
    words = text.split()
    begins = [0, *(word_count(text[: match.end()]) for match in _SENTENCE_END.finditer(text))]
    begins += range(0, len(words), _MOST_WORDS_EACH // 2)

    def held(begin: int) -> float:
        stems = content_stems(" ".join(words[begin : begin + _MOST_WORDS_EACH]))
        return sum(weight for stem, weight in weights.items() if stem in stems)

    start = max(begins, key=lambda begin: (held(begin), -begin))
    stretch = " ".join(words[start : start + _MOST_WORDS_EACH])
    return f"{'… ' if start else ''}{stretch}{' …' if start + _MOST_WORDS_EACH < len(words) else ''}"
