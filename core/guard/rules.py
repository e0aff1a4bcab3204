"""The rules that block or pass a sentence without a score, and the reasons for a high score.

Quotations and names from unread pages are blocked, and verbatim text of read pages passes. The reasons for a high score
are the word, the pair of words and the passage that fit best. Only operators see them, since they reveal unread text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.domain.verdict import Reason
from core.guard.book_index import RUN, BookIndex, run_hashes, tops_of
from core.guard.claim import Claim
from core.guard.features import window_scores
from core.language.packed_words import Ints

_LEAST_VERBATIM = 5
_STEPS = np.arange(RUN)

_PAIRED_WORDS = 6
_WINDOW = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Consecutive words looked up in a book.

    Attributes:
        words: the words.
        numbers: each word's number in the index.
        places: the book's token where the run of eight words from each word occurs first, or -1.
    """

    words: Sequence[str]
    numbers: Sequence[int]
    places: Ints

    @classmethod
    def of(cls, words: Sequence[str], index: BookIndex) -> "Runs":
        """Look words up in a book."""
        numbers = index.words.numbers_of(words)
        return cls(words=words, numbers=numbers, places=_run_places(numbers, index))

    def within(self, begin: int, end: int) -> "Runs":
        """Return the words from `begin` up to `end`."""
        last = max(end - RUN + 1, begin)
        return Runs(words=self.words[begin:end], numbers=self.numbers[begin:end], places=self.places[begin:last])


def unread_runs(runs: Runs, index: BookIndex, *, last_page: int) -> list[tuple[int, Reason]]:
    """Return each run of eight words that is only on unread pages, with the number of its first word."""
    found = []
    for at in map(int, np.flatnonzero(runs.places >= 0)):
        page = index.page_of(int(runs.places[at]) + RUN - 1)
        if page > last_page and -1 not in runs.numbers[at : at + RUN]:
            found.append((at, Reason(kind="quote", page=page, evidence=" ".join(runs.words[at : at + RUN]))))
    return found


def late_names(claim: Claim, *, last_page: int) -> list[Reason]:
    """Return the names that are only on unread pages or not in the book at all."""
    reasons = []
    for row in np.flatnonzero(claim.names | claim.strangers):
        page = None if claim.strangers[row] else int(claim.index.stem_first_page[claim.stem_ids[row]])
        if page is None or page > last_page:
            reasons.append(Reason(kind="name", page=page, evidence=claim.words[row]))
    return reasons


def is_verbatim(runs: Runs, index: BookIndex, *, last_page: int) -> bool:
    """Whether the words, at least five, are in read text in this order."""
    numbers = runs.numbers
    if len(numbers) < _LEAST_VERBATIM or -1 in numbers or (runs.places < 0).any():
        return False
    read = index.token_word[: index.sentence_starts[index.boundary(last_page)]]
    rarest = int(np.argmin(index.capitals[numbers] + index.lowers[numbers]))
    places = np.flatnonzero(read == numbers[rarest]) - rarest
    places = places[(places >= 0) & (places <= len(read) - len(numbers))]
    for offset, number in enumerate(numbers):
        places = places[read[places + offset] == number]
    return bool(len(places))


def why_suspect(claim: Claim, *, last_page: int) -> list[Reason]:
    """Return the reasons for a high score, at most one of a kind, each with its unread page."""
    boundary = claim.index.boundary(last_page)
    heaviest = [int(row) for row in np.argsort(-claim.weights)]
    found = (
        _late_word(claim, heaviest, boundary),
        _late_pair(claim, heaviest, boundary),
        _best_window(claim, boundary),
    )
    return [reason for reason in found if reason is not None]


def _run_places(numbers: Sequence[int], index: BookIndex) -> Ints:
    """Return for each run of eight words the first token where the book has it, or -1."""
    tops = tops_of(run_hashes(numbers))
    found = np.full(len(tops), -1, dtype=np.int32)
    places, asked = np.searchsorted(index.runs, tops), np.asarray(numbers, dtype=np.int64)
    rows = np.arange(len(tops))
    while len(rows := rows[places[rows] < len(index.runs)]) and len(
        rows := rows[index.runs[places[rows]] == tops[rows]]
    ):
        begins = index.run_tokens[places[rows]]
        same = (index.token_word[begins[:, None] + _STEPS] == asked[rows[:, None] + _STEPS]).all(axis=1)
        found[rows[same]] = begins[same]
        rows = rows[~same]
        places[rows] += 1
    return found


def _late_word(claim: Claim, heaviest: list[int], boundary: int) -> Reason | None:
    """Return the word with the highest weight that is only on unread pages; None if there is none."""
    for row in heaviest:
        if claim.known[row] and not claim.counts[row, :boundary].any():
            page = int(claim.index.stem_first_page[claim.stem_ids[row]])
            return Reason(kind="term", page=page, evidence=claim.words[row])
    return None


def _late_pair(claim: Claim, heaviest: list[int], boundary: int) -> Reason | None:
    """Return the heaviest pair of read words that share a sentence only on unread pages; None if there is none."""
    stands = claim.counts > 0
    read = [row for row in heaviest if stands[row, :boundary].any()][:_PAIRED_WORDS]
    for one, other in combinations(read, 2):
        together = stands[one] & stands[other]
        if together.any() and not together[:boundary].any():
            page = int(claim.index.sentence_page[int(together.argmax())])
            return Reason(kind="pair", page=page, evidence=f"{claim.words[one]} + {claim.words[other]}")
    return None


def _best_window(claim: Claim, boundary: int) -> Reason:
    """Return the unread passage that fits the whole sentence best."""
    scores = window_scores(claim, boundary, _WINDOW).unread
    page = int(claim.index.sentence_page[boundary + int(scores.argmax())]) if len(scores) else None
    return Reason(kind="meaning", page=page, evidence=claim.text)
