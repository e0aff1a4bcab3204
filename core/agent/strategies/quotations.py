"""Chooses the read sentences that fit a question best; pure, so that its threshold can be fitted and tested."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.domain.passage import SearchResult
from core.text.sentences import flat_sentences, word_count
from core.text.words import content_stems

FIT_THRESHOLD: Final = 0.14
"""Least share of the question's weight that a quoted sentence must hold; fitted by `benchmarks/quoting_threshold.py`,
error rates in ADR 0007."""

MOST_WORDS: Final = 150
"""An answer quotes at most this many words of the book (spec section 5)."""

_MOST_QUOTATIONS: Final = 3
_MOST_WORDS_EACH: Final = 70
_SHORT_SENTENCE: Final = 14


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

    `passages` are given best first: a passage's rank counts beside how well its best sentence fits.
    """
    ranked = [(1 / rank, best) for rank, best in enumerate(best_sentences(question, passages), start=1) if best]
    ranked.sort(key=lambda pair: -(pair[0] + pair[1].fit))
    chosen: list[Quotation] = []
    room = MOST_WORDS
    for _, quotation in ranked:
        length = word_count(quotation.text)
        if quotation.fit >= threshold and length <= room and len(chosen) < _MOST_QUOTATIONS:
            chosen.append(quotation)
            room -= length
    return sorted(chosen, key=lambda quotation: (quotation.page, quotation.passage.chunk_id))


def best_sentences(question: str, passages: Sequence[SearchResult]) -> Iterator[Quotation | None]:
    """Give for each passage the sentence that holds most of the question's weight; None where none holds any."""
    wanted = set(content_stems(question))
    weights = _weights(wanted, [set(content_stems(passage.text)) for passage in passages])
    total = sum(weights.values())
    for passage in passages:
        flat, cuts = flat_sentences(passage.text)
        held = [
            sum(weights[stem] for stem in wanted.intersection(content_stems(flat[start:end])))
            for start, end in pairwise(cuts)
        ]
        best = max(range(len(held)), key=lambda at: held[at], default=0)
        if not held or held[best] <= 0:
            yield None
        else:
            yield Quotation(text=_quoted(flat, cuts, best), fit=held[best] / total, passage=passage)


def _weights(wanted: Iterable[str], passages: Sequence[set[str]]) -> dict[str, float]:
    """Weigh a stem by its rarity among the passages: what all of them hold tells them apart least."""
    count = len(passages)
    frequency = {stem: sum(stem in passage for passage in passages) for stem in wanted}
    return {stem: math.log1p((count - found + 0.5) / (found + 0.5)) for stem, found in frequency.items()}


def _quoted(flat: str, cuts: Sequence[int], at: int) -> str:
    """Quote a sentence as it stands, with the next one where it is short and cut where it is long."""
    text = flat[cuts[at] : cuts[at + 1]].strip()
    words = text.split()
    if len(words) > _MOST_WORDS_EACH:
        return " ".join(words[:_MOST_WORDS_EACH]) + " …"
    with_next = flat[cuts[at] : cuts[min(at + 2, len(cuts) - 1)]].strip()
    return with_next if len(words) < _SHORT_SENTENCE and word_count(with_next) <= _MOST_WORDS_EACH else text
