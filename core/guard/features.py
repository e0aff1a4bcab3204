"""The features from which a sentence's score is computed: how it compares with a book at a page, and its style.

The boundary, the first unread sentence, divides the book into two sides: read and unread text. On each side the
sentence is compared with windows of a few sentences. A window that contains its rarest words is evidence for its side.
The larger side has the better best window by chance, so whole sides are compared as well as best windows.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.guard.claim import Bools, Claim, Floats
from core.guard.style import TALK, style_features

# BM25's usual parameters: saturation of repeated words, and normalisation of the window's length.
_K1 = 1.2
_B = 0.75
_WINDOWS = (1, 3, 8)
_SHARPNESS = (0.5, 1.0, 2.0)
_BEST = 5
_RELATION = 2
_LITTLE = 20
_NOTHING = -10.0
_OUT_OF_DEVIATIONS = -5.0


def features(claim: Claim, *, last_page: int) -> dict[str, float]:
    """Return the features of a sentence by name, for a reader of pages up to `last_page` (0: nothing read)."""
    index, boundary = claim.index, claim.index.boundary(last_page)
    found = {
        "read_share": last_page / max(index.pages, 1),
        "read_odds": float(np.log((boundary + 0.5) / (index.sentences - boundary + 0.5))),
        "log_page": float(np.log(max(last_page, 0.5))),
        "stems": len(claim.words),
        "weight": claim.total,
    }
    found |= _words(claim, boundary, last_page)
    found |= _pairs(claim, boundary)
    for length in _WINDOWS:
        found |= _windows(claim, boundary, length)
    found |= style_features(claim.text, claim.all_words)
    talk = [word in TALK for word in claim.words]
    found["talk_share"] = float(claim.weights[talk].sum()) / claim.total
    found["matter_words"] = len(talk) - sum(talk)
    found["whom"] = found["third"] + found["people"] + found["names"]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The scores of all windows of one length, in read and in unread text."""

    read: Floats
    unread: Floats


def _words(claim: Claim, boundary: int, last_page: int) -> dict[str, float]:
    """Return features of single words: which are only in unread text or nowhere, and how often they were read.

    `deviation` is how far a word's share in read text differs from the share expected if it were spread evenly.
    """
    index = claim.index
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
    """Return features of pairs of words: whether they occur within three sentences in read or only in unread text."""
    near = _trailing(claim.counts, 3)
    read, unread = near[:, :boundary], near[:, boundary:]
    meet_read, meet_unread = _meet(read), _meet(unread)
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
        "whole": float(_is_whole_later(claim, read, boundary)),
    }


def _meet(counts: Floats) -> Bools:
    """Return which rows share a column. Uses bits, since a matrix product would start BLAS threads."""
    bits = np.packbits(counts > 0, axis=1)
    return np.asarray((bits[:, None] & bits[None]).any(axis=2))


def _is_whole_later(claim: Claim, near_read: Floats, boundary: int) -> bool:
    """Whether one unread sentence has all content words, including a name, and no three read ones in a row have."""
    if len(claim.words) < _RELATION or not claim.names.any() or not claim.known.all():
        return False
    fewest_read, fewest_unread = near_read.min(axis=0), claim.counts[:, boundary:].min(axis=0)
    return not fewest_read.any() and bool(fewest_unread.any())


def _windows(claim: Claim, boundary: int, length: int) -> dict[str, float]:
    """Return features of windows of one length: the best fit on each side, and the sides as a whole."""
    sides = window_scores(claim, boundary, length)
    read, unread = sides.read, sides.unread
    best_read, best_unread = float(read.max(initial=0.0)), float(unread.max(initial=0.0))
    features = {
        "read": best_read / claim.total,
        "unread": best_unread / claim.total,
        "margin": (best_unread - best_read) / claim.total,
        "margin_weight": best_unread - best_read,
        "margin_best": (_mean_of_best(unread, best_unread) - _mean_of_best(read, best_read)) / claim.total,
    }
    for sharpness, of_unread, of_read in zip(_SHARPNESS, _masses(unread), _masses(read), strict=True):
        features[f"odds_{sharpness:g}"] = of_unread - of_read
    if length == 3:  # noqa: PLR2004 (the length that retrieves best)
        mean, deviation = _mean_and_deviation(read, unread)
        features["read_beyond_chance"] = _beyond_chance(best_read, mean, deviation, len(read))
        features["unread_beyond_chance"] = _beyond_chance(best_unread, mean, deviation, len(unread))
    return {f"{name}_{length}": value for name, value in features.items()}


def window_scores(claim: Claim, boundary: int, length: int) -> Sides:
    """Return the BM25 score of each window of `length` sentences, indexed by its last sentence.

    Windows do not cross the boundary: the first ones of a side are shorter.
    """
    index = claim.index
    usual = float(index.matter.sum()) * length / max(index.sentences, 1) or 1.0
    counts = _windowed(claim.counts, boundary, length)
    lengths = _windowed(index.matter[None], boundary, length)
    saturated = counts + (np.float32(_K1 * _B / usual) * lengths + np.float32(_K1 * (1 - _B)))
    np.divide(counts, saturated, out=saturated)
    saturated *= (claim.weights * np.float32(_K1 + 1))[:, None]
    scores = saturated.sum(axis=0)
    return Sides(read=scores[:boundary], unread=scores[boundary:])


def _windowed(counts: Floats, boundary: int, length: int) -> Floats:
    """Return for each column the sum of the last `length` columns, not across the boundary."""
    if length == 1:
        return counts
    sums = _trailing(counts, length)
    cut = slice(boundary, boundary + length - 1)
    np.cumsum(counts[:, cut], axis=1, out=sums[:, cut])
    return sums


def _trailing(counts: Floats, length: int) -> Floats:
    """Return for each column the sum of the last `length` columns, computed from sums of half the length."""
    if length == 1:
        return counts
    half = length // 2
    halves = _trailing(counts, half)
    sums = halves.copy()
    sums[:, half:] += halves[:, :-half]
    if length % 2:
        sums[:, length - 1 :] += counts[:, : 1 - length]
    return sums


def _mean_of_best(scores: Floats, best: float) -> float:
    """Return the mean of the five best scores, searched first among those above half of the best."""
    if len(scores) < _BEST:
        return 0.0
    good = scores[scores >= best / 2]
    among = good if len(good) >= _BEST else scores
    return float(np.partition(among, -_BEST)[-_BEST:].mean())


def _masses(scores: Floats) -> list[float]:
    """Return the log-sum-exp of a side's windows at each sharpness.

    A higher sharpness gives the best window more weight against many that fit a little.
    """
    if not len(scores):
        return [_NOTHING] * len(_SHARPNESS)
    best = float(scores.max())
    weights, masses = np.exp((scores - best) * _SHARPNESS[0]), []
    for sharpness in _SHARPNESS:  # each is twice the one before
        masses.append(best * sharpness + float(np.log(weights.sum())))
        weights = weights * weights
    return masses


def _mean_and_deviation(read: Floats, unread: Floats) -> tuple[float, float]:
    count = max(len(read) + len(unread), 1)
    mean = float(read.sum() + unread.sum()) / count
    return mean, math.sqrt(max(float(np.square(read).sum() + np.square(unread).sum()) / count - mean**2, 0.0)) + 1e-6


def _beyond_chance(best: float, mean: float, deviation: float, count: int) -> float:
    """Return how many deviations the best of `count` windows is above the best expected by chance."""
    if count <= _LITTLE:
        return _OUT_OF_DEVIATIONS
    return (best - mean) / deviation - float(np.sqrt(2 * np.log(count + 1)))
