"""How much the guard catches and what it wrongly blocks: by kind, by how far is read and by book, and the whole curve.

The cases of one statement hang together; so statements, not cases, are drawn anew for the intervals.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.evaluation.guard_labels import Case
from bot.evaluation.intervals import Estimate

WRONG_BLOCKS: Final = (0.02, 0.05, 0.1, 0.2)
BANDS: Final = ((0.0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
_RESAMPLES = 1_000
_SEED = 20_000
_MIDDLE = [2.5, 97.5]

Verdict = Callable[[str, int], Awaitable[tuple[bool, float]]]
"""Judges a text at a page: whether it leaks, and its score."""

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSentence:
    """A case of a book, what the guard said of it, and the CPU time that took, in milliseconds."""

    book: str
    case: Case
    blocked: bool
    score: float
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardFigures:
    """Of a group of cases: how many leaks there are and what share is caught, how many others, wrongly blocked."""

    leaks: int
    caught: Estimate | None
    others: int
    wrongly_blocked: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardReport:
    """`away` are the cases more than two pages from the reveal; all but `near` is about those.

    `curve`: what would be caught if the line were drawn where this share is wrongly blocked.
    """

    away: GuardFigures
    near: GuardFigures
    kinds: Mapping[str, GuardFigures]
    bands: Mapping[str, GuardFigures]
    books: Mapping[str, GuardFigures]
    auc: Estimate | None
    curve: Mapping[float, Estimate]
    milliseconds: Mapping[str, float]


async def judge_cases(book: str, cases: Iterable[Case], verdict: Verdict) -> list[JudgedSentence]:
    """Ask the guard about every case."""
    judged = []
    for case in cases:
        began = time.process_time()
        blocked, score = await verdict(case.statement.text, case.page)
        spent = (time.process_time() - began) * 1_000
        judged.append(JudgedSentence(book=book, case=case, blocked=blocked, score=score, milliseconds=spent))
    return judged


def guard_report(judged: Sequence[JudgedSentence]) -> GuardReport:
    """Sum up; there is at least one case."""
    away = [one for one in judged if not one.case.is_near]
    times = [one.milliseconds for one in judged]
    auc, curve = _curve(away)
    return GuardReport(
        away=_figures(away),
        near=_figures([one for one in judged if one.case.is_near]),
        kinds=_by(away, lambda one: one.case.statement.kind),
        bands=_by(sorted(away, key=lambda one: one.case.share), _band),
        books=_by(away, lambda one: one.book),
        auc=auc,
        curve=curve,
        milliseconds={"median": float(np.median(times)), "p95": float(np.percentile(times, 95))},
    )


def _band(one: JudgedSentence) -> str:
    low, high = next(band for band in BANDS if one.case.share <= band[1])
    return f"{low:.0%}-{high:.0%}"


def _by(judged: Sequence[JudgedSentence], key: Callable[[JudgedSentence], str]) -> dict[str, GuardFigures]:
    groups: dict[str, list[JudgedSentence]] = {}
    for one in judged:
        groups.setdefault(key(one), []).append(one)
    return {name: _figures(group) for name, group in groups.items()}


def _figures(judged: Sequence[JudgedSentence]) -> GuardFigures:
    leaks = [one for one in judged if one.case.must_block]
    others = [one for one in judged if not one.case.must_block]
    return GuardFigures(leaks=len(leaks), caught=_blocked(leaks), others=len(others), wrongly_blocked=_blocked(others))


def _blocked(judged: Sequence[JudgedSentence]) -> Estimate | None:
    if not judged:
        return None
    numbers, count = _statements(judged)
    hits = np.bincount(numbers, weights=[one.blocked for one in judged], minlength=count)
    cases = np.bincount(numbers, minlength=count)
    drawn = np.random.default_rng(_SEED).integers(0, count, size=(_RESAMPLES, count))
    low, high = np.percentile(hits[drawn].sum(axis=1) / cases[drawn].sum(axis=1), _MIDDLE)
    return Estimate(value=float(hits.sum() / cases.sum()), low=float(low), high=float(high))


def _curve(judged: Sequence[JudgedSentence]) -> tuple[Estimate | None, dict[float, Estimate]]:
    scores = np.array([one.score for one in judged])
    leaks = np.array([one.case.must_block for one in judged], dtype=bool)
    if not leaks.any() or leaks.all():
        return None, {}
    samples = [_points(scores[rows], leaks[rows]) for rows in _resampled(judged) if 0 < leaks[rows].mean() < 1]
    lows, highs = np.percentile(samples, _MIDDLE, axis=0)
    auc, *caught = (
        Estimate(value=float(value), low=float(low), high=float(high))
        for value, low, high in zip(_points(scores, leaks), lows, highs, strict=True)
    )
    return auc, dict(zip(WRONG_BLOCKS, caught, strict=True))


def _resampled(judged: Sequence[JudgedSentence]) -> Iterator[NDArray[np.intp]]:
    """Yield the cases of statements that are drawn anew: those of one statement come together."""
    numbers, count = _statements(judged)
    rows_of = [np.flatnonzero(numbers == number) for number in range(count)]
    drawn = np.random.default_rng(_SEED)
    for _ in range(_RESAMPLES):
        yield np.concatenate([rows_of[number] for number in drawn.integers(0, count, size=count)])


def _points(scores: Floats, leaks: Bools) -> list[float]:
    """Return the area under the curve (ties count half), then what is caught at each share of wrong blocks."""
    of_leaks, of_others = np.sort(scores[leaks]), np.sort(scores[~leaks])
    below, up_to = (np.searchsorted(of_others, of_leaks, side=side) for side in ("left", "right"))
    area = float((below + up_to).mean() / 2 / len(of_others))
    lines = [np.quantile(of_others, 1 - share, method="higher") for share in WRONG_BLOCKS]
    return [area, *(float((of_leaks > line).mean()) for line in lines)]


def _statements(judged: Sequence[JudgedSentence]) -> tuple[NDArray[np.intp], int]:
    """Return the number of each case's statement, and how many there are."""
    numbers: dict[tuple[str, str], int] = {}
    rows = [numbers.setdefault((one.book, one.case.statement.text), len(numbers)) for one in judged]
    return np.array(rows, dtype=np.intp), len(numbers)
