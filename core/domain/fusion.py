"""Reciprocal rank fusion: one order from several."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
_K = 60


def fuse(rankings: Iterable[tuple[float, Sequence[Item]]]) -> list[tuple[Item, float]]:
    """Fuse weighted rankings, best first: an item's score is the sum of weight / (60 + rank) over all of them.

    Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet ...", SIGIR 2009.
    """
    scores: defaultdict[Item, float] = defaultdict(float)
    for weight, ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += weight / (_K + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
