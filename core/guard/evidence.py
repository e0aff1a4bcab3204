"""What speaks for a sentence in the read text and in the unread: windows that say the same, words and pairs of words.

Every figure is a feature of the score. Read text is small at the beginning of a book and unread text at its end, and
the larger side has the better best window by chance: hence the weights of whole sides beside their maxima.
"""

from dataclasses import dataclass

import numpy as np

from core.guard.book_index import BookIndex
from core.guard.claim import Claim, Floats

_K1 = 1.2
_B = 0.75
_WINDOWS = (1, 3, 8)
_SHARPNESS = (0.5, 1.0, 2.0)
_BEST = 5
_LITTLE = 20
_NOTHING = -10.0
_OUT_OF_DEVIATIONS = -5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The scores of all windows of one length, in the read text and in the unread."""

    read: Floats
    unread: Floats


def evidence_features(claim: Claim, index: BookIndex, *, last_page: int) -> dict[str, float]:
    """Return what the book shows of a sentence when `last_page` is read, by name."""
    boundary = index.boundary(last_page)
    features = {
        "read_share": last_page / max(index.pages, 1),
        "read_odds": float(np.log((boundary + 0.5) / (index.sentences - boundary + 0.5))),
        "log_page": float(np.log(max(last_page, 0.5))),
        "stems": len(claim.words),
        "weight": claim.total,
    }
    features |= _words(claim, index, boundary, last_page)
    features |= _pairs(claim, boundary)
    for length in _WINDOWS:
        features |= _windows(claim, index, boundary, length)
    return features


def _words(claim: Claim, index: BookIndex, boundary: int, last_page: int) -> dict[str, float]:
    """Words that the book has only later, or nowhere; and whether they stand in read text as often as chance has it."""
    read = claim.counts[:, :boundary].sum(axis=1)
    every = claim.counts.sum(axis=1)
    late = claim.known & (read == 0)
    share = boundary / max(index.sentences, 1)
    spread = np.sqrt(every * share * (1 - share) + 0.25)
    deviation = ((read - every * share) / spread)[claim.known]
    weights = claim.weights[claim.known]
    first_pages = [
        int(index.stem_first_page[stem]) for stem, is_late in zip(claim.stem_ids, late, strict=True) if is_late
    ]
    return {
        "unknown": float(claim.weights[~claim.known].sum()) / claim.total,
        "late": float(claim.weights[late].sum()) / claim.total,
        "late_words": int(late.sum()),
        "late_most": float(claim.weights[late].max(initial=0.0)),
        "late_soon": (min(first_pages) - last_page) / index.pages if first_pages else 0.0,
        "late_often": float((claim.weights[late] * np.log1p(every[late])).sum()) / claim.total,
        "late_names": int((late & claim.names).sum()),
        "strangers": int(claim.strangers.sum()),
        "read_names": int((claim.names & claim.known & ~late).sum()),
        "names": int(claim.names.sum()),
        "deviation": float((weights * deviation).sum() / weights.sum()) if len(weights) else 0.0,
        "least_deviation": float(deviation.min(initial=0.0)),
    }


def _pairs(claim: Claim, boundary: int) -> dict[str, float]:
    """Pairs of words that the book has both read: do they meet within three sentences, and where?"""
    near = _trailing((claim.counts > 0).astype(np.float32), 3) > 0
    read = near[:, :boundary].astype(np.float32)
    unread = near[:, boundary:].astype(np.float32)
    meet_read, meet_unread = (read @ read.T) > 0, (unread @ unread.T) > 0
    has_read = np.diagonal(meet_read)
    weights = np.triu(np.minimum(claim.weights[:, None], claim.weights[None, :]), 1)
    both = has_read[:, None] & has_read[None, :]
    total = float(weights[np.ix_(claim.known, claim.known)].sum()) or 1.0
    only_unread = float(weights[both & ~meet_read & meet_unread].sum())
    return {
        "pairs_read": float(weights[meet_read].sum()) / total,
        "pairs_unread": only_unread / total,
        "pairs_late": float(weights[~both & meet_unread].sum()) / total,
        "pairs_unread_weight": only_unread,
    }


def _windows(claim: Claim, index: BookIndex, boundary: int, length: int) -> dict[str, float]:
    sides = window_scores(claim, index, boundary, length)
    read, unread = sides.read, sides.unread
    best_read, best_unread = float(read.max(initial=0.0)), float(unread.max(initial=0.0))
    features = {
        "read": best_read / claim.total,
        "unread": best_unread / claim.total,
        "margin": (best_unread - best_read) / claim.total,
        "margin_weight": best_unread - best_read,
        "margin_best": (_mean_of_best(unread) - _mean_of_best(read)) / claim.total,
    }
    for sharpness in _SHARPNESS:
        features[f"odds_{sharpness:g}"] = _mass(unread, sharpness) - _mass(read, sharpness)
    if length == 3:  # noqa: PLR2004 (the length that retrieves best)
        whole = np.concatenate([read, unread]) if index.sentences else np.zeros(1)
        mean, deviation = float(whole.mean()), float(whole.std()) + 1e-6
        features["read_beyond_chance"] = _beyond_chance(best_read, mean, deviation, len(read))
        features["unread_beyond_chance"] = _beyond_chance(best_unread, mean, deviation, len(unread))
    return {f"{name}_{length}": value for name, value in features.items()}


def window_scores(claim: Claim, index: BookIndex, boundary: int, length: int) -> Sides:
    """Return BM25 of each window of `length` sentences, by where it ends; none reaches across the boundary."""
    usual = float(index.matter.sum()) * length / max(index.sentences, 1) or 1.0

    def scores(first: int, last: int) -> Floats:
        counts = _trailing(claim.counts[:, first:last], length)
        lengths = _trailing(index.matter[None, first:last], length)
        saturated = counts * (_K1 + 1) / (counts + _K1 * (1 - _B + _B * lengths / usual))
        return np.asarray(claim.weights @ saturated, dtype=np.float32)

    return Sides(read=scores(0, boundary), unread=scores(boundary, index.sentences))


def _trailing(counts: Floats, length: int) -> Floats:
    """Return sums over the last `length` columns up to each."""
    if length == 1:
        return counts
    sums = np.cumsum(counts, axis=1, dtype=np.float32)
    sums[:, length:] -= sums[:, :-length].copy()
    return sums


def _mean_of_best(scores: Floats) -> float:
    return float(np.partition(scores, -_BEST)[-_BEST:].mean()) if len(scores) >= _BEST else 0.0


def _mass(scores: Floats, sharpness: float) -> float:
    """Return the logarithm of the summed weight of a side's windows: as if one of all windows were the source."""
    if not len(scores):
        return _NOTHING
    best = float(scores.max())
    return best * sharpness + float(np.log(np.exp((scores - best) * sharpness).sum()))


def _beyond_chance(best: float, mean: float, deviation: float, count: int) -> float:
    """Return by how many deviations the best of `count` windows is better than chance would have it."""
    if count <= _LITTLE:
        return _OUT_OF_DEVIATIONS
    return (best - mean) / deviation - float(np.sqrt(2 * np.log(count + 1)))
