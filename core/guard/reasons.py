"""Why a sentence whose score is high is suspect: the word, the two words and the passage that speak most for a leak.

For operators only, since all three tell what lies ahead.
"""

from itertools import combinations

import numpy as np

from core.domain.verdict import Reason
from core.guard.claim import Claim
from core.guard.features import window_scores

_PAIRED_WORDS = 6
_WINDOW = 3


def why_suspect(claim: Claim, *, last_page: int) -> list[Reason]:
    """Return the reasons, at most one of a kind, each with the unread page that speaks for it."""
    boundary = claim.index.boundary(last_page)
    heaviest = [int(row) for row in np.argsort(-claim.weights)]
    found = (
        _late_word(claim, heaviest, boundary),
        _late_pair(claim, heaviest, boundary),
        _best_window(claim, boundary),
    )
    return [reason for reason in found if reason is not None]


def _late_word(claim: Claim, heaviest: list[int], boundary: int) -> Reason | None:
    """Return the most telling word that the book has only on unread pages."""
    for row in heaviest:
        if claim.known[row] and not claim.counts[row, :boundary].any():
            page = int(claim.index.stem_first_page[claim.stem_ids[row]])
            return Reason(kind="term", page=page, evidence=claim.words[row])
    return None


def _late_pair(claim: Claim, heaviest: list[int], boundary: int) -> Reason | None:
    """Return the most telling words that are both read, but stand in one sentence only on unread pages."""
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
