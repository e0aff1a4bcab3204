"""Chooses the read sentences that fit a question best; pure, so that its threshold can be fitted and tested."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.passage import SearchResult
from core.text.sentences import sentences, word_count
from core.text.words import content_stems

FIT_THRESHOLD: Final = 0.34
"""Least share of the question's weight that the best sentence must hold; fitted in `benchmarks/quoting_threshold.py`,
error rates in ADR 0007."""

MOST_WORDS: Final = 150
"""An answer quotes at most this many words of the book (spec section 5)."""

_MOST_QUOTATIONS: Final = 3
_MOST_WORDS_EACH: Final = 70
_SHORT_SENTENCE: Final = 14
_NEXT_BEST: Final = 0.6
_RANK_BONUS: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Sentences `first` to `last` of a passage, verbatim but for folded white space."""

    text: str
    first: int
    last: int
    passage: SearchResult

    @property
    def page(self) -> int:
        """The page it stands on."""
        return self.passage.start_page

    def overlaps(self, other: "Quotation") -> bool:
        """Whether both quote a same sentence."""
        same_passage = self.passage.chunk_id == other.passage.chunk_id
        return same_passage and self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    passage: SearchResult
    sentences: Sequence[str]
    at: int
    fit: float
    rank: int

    @property
    def score(self) -> float:
        return self.fit + _RANK_BONUS / (1 + self.rank)


def choose_quotations(question: str, passages: Sequence[SearchResult]) -> list[Quotation]:
    """Return the quotations that answer best, in the order of the book; empty where nothing fits."""
    candidates = sorted(_candidates(question, passages), key=lambda candidate: -candidate.score)
    if not candidates or best_fit(candidates) < FIT_THRESHOLD:
        return []
    chosen: list[Quotation] = []
    room = MOST_WORDS
    for candidate in candidates:
        if len(chosen) == _MOST_QUOTATIONS or candidate.score < _NEXT_BEST * candidates[0].score:
            break
        quotation = _quotation(candidate, room=min(room, _MOST_WORDS_EACH if chosen else MOST_WORDS))
        if quotation is None or any(quotation.overlaps(other) for other in chosen):
            continue
        chosen.append(quotation)
        room -= word_count(quotation.text)
    return sorted(chosen, key=lambda quotation: (quotation.passage.chunk_id, quotation.first))


def best_fit(candidates: Iterable[_Candidate]) -> float:
    """Return the share of the question's weight that its best sentence holds."""
    return max((candidate.fit for candidate in candidates), default=0.0)


def question_fit(question: str, passages: Sequence[SearchResult]) -> float:
    """Return how well the best sentence of the passages fits the question, 0 to 1; what the threshold is fitted on."""
    return best_fit(_candidates(question, passages))


def _candidates(question: str, passages: Sequence[SearchResult]) -> Iterable[_Candidate]:
    wanted = set(content_stems(question))
    split = [(passage, sentences(passage.text)) for passage in passages]
    weights = _weights(wanted, [set(content_stems(passage.text)) for passage in passages])
    total = sum(weights.values())
    for rank, (passage, pieces) in enumerate(split):
        for at, piece in enumerate(pieces):
            matched = sum(weights[stem] for stem in wanted.intersection(content_stems(piece)))
            if matched > 0:
                yield _Candidate(passage=passage, sentences=pieces, at=at, fit=matched / total, rank=rank)


def _weights(wanted: Iterable[str], passages: Sequence[set[str]]) -> dict[str, float]:
    """Weigh a stem by its rarity among the passages: what all of them hold tells them apart least."""
    count = len(passages)
    frequency = {stem: sum(stem in passage for passage in passages) for stem in wanted}
    return {stem: math.log1p((count - found + 0.5) / (found + 0.5)) for stem, found in frequency.items()}


def _quotation(candidate: _Candidate, *, room: int) -> Quotation | None:
    """Quote the sentence, with the next one where it is short; None where not even the sentence has room."""
    text = candidate.sentences[candidate.at]
    if word_count(text) > room:
        if room < MOST_WORDS:
            return None
        text = " ".join(text.split()[: room - 1]) + " …"
    last = candidate.at
    for following in candidate.sentences[candidate.at + 1 : candidate.at + 2]:
        if word_count(text) < _SHORT_SENTENCE and word_count(text) + word_count(following) <= room:
            text, last = f"{text} {following}", candidate.at + 1
    return Quotation(text=text, first=candidate.at, last=last, passage=candidate.passage)
