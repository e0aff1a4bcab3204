"""What leaks, or passes, without any weighing: quotations, names that come later, text that stands in read pages."""

from collections.abc import Sequence

import numpy as np

from core.domain.verdict import Reason
from core.guard.book_index import RUN, BookIndex, run_hashes, tops_of
from core.guard.claim import Claim
from core.text.packed_words import Ints

_LEAST_VERBATIM = 5
_STEPS = np.arange(RUN)


def unread_runs(words: Sequence[str], index: BookIndex, *, last_page: int) -> list[tuple[int, Reason]]:
    """Return each run of eight words that only unread pages hold, with the number of its first word."""
    numbers = index.words.numbers_of(words)
    places = _run_places(numbers, index)
    found = []
    for at in map(int, np.flatnonzero(places >= 0)):
        page = index.page_of(int(places[at]) + RUN - 1)
        if page > last_page and -1 not in numbers[at : at + RUN]:
            found.append((at, Reason(kind="quote", page=page, evidence=" ".join(words[at : at + RUN]))))
    return found


def late_names(claim: Claim, *, last_page: int) -> list[Reason]:
    """Return the names that the book has only on unread pages, and those that it has nowhere."""
    reasons = []
    for row in np.flatnonzero(claim.names | claim.strangers):
        page = None if claim.strangers[row] else int(claim.index.stem_first_page[claim.stem_ids[row]])
        if page is None or page > last_page:
            reasons.append(Reason(kind="name", page=page, evidence=claim.words[row]))
    return reasons


def is_verbatim(words: Sequence[str], index: BookIndex, *, last_page: int) -> bool:
    """Whether five words or more stand in the read text in just this order."""
    if len(words) < _LEAST_VERBATIM:
        return False
    numbers = index.words.numbers_of(words)
    if -1 in numbers or (_run_places(numbers, index) < 0).any():
        return False
    read = index.token_word[: index.sentence_starts[index.boundary(last_page)]]
    rarest = int(np.argmin(index.capitals[numbers] + index.lowers[numbers]))
    places = np.flatnonzero(read == numbers[rarest]) - rarest
    places = places[(places >= 0) & (places <= len(read) - len(numbers))]
    for offset, number in enumerate(numbers):
        places = places[read[places + offset] == number]
    return bool(len(places))


def _run_places(numbers: Sequence[int], index: BookIndex) -> Ints:
    """Return for each run of eight words the first token of the book at which it begins, -1 where it stands nowhere."""
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
