"""All that the score of a sentence is made of, by name: its style, and what the book shows of it at a position."""

from core.guard.book_index import BookIndex
from core.guard.claim import Claim
from core.guard.evidence import evidence_features
from core.guard.style import TALK, style_features


def features(claim: Claim, index: BookIndex, *, last_page: int) -> dict[str, float]:
    """Return the features of a sentence when `last_page` is read (0: nothing is)."""
    found = evidence_features(claim, index, last_page=last_page) | style_features(claim.text, claim.all_words)
    talk = [word in TALK for word in claim.words]
    found["talk_share"] = float(claim.weights[talk].sum()) / claim.total
    found["matter_words"] = len(talk) - sum(talk)
    found["whom"] = found["third"] + found["people"] + found["names"]
    return found
