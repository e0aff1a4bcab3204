"""Where the guard's lines are drawn: on the scores of books held out, by what is wrongly blocked (guard_fit).

Scores fall as a book is read, since less and less lies ahead. So the lines fall too: along the scores of what is
harmless, every part of the book counting alike.
"""

import numpy as np

from benchmarks.guard_table import Bools, Floats, Table
from core.guard.score import Thresholds, chance_of

WRONG_BLOCKS = 0.08
NOTED_WRONG_BLOCKS = 0.05
"""What share of what is harmless may lie above `balanced` in each eighth of a book: without notes, and with."""

_DOUBTFUL_WRONG_BLOCKS = 0.2
_STRICT_CAUGHT = 0.97
_GROUNDED_KEPT = 0.9
_PARTS = 8
_LOWEST = -10.0
_STEEPEST = 10.0
_STEPS = 60
_MIDDLE = 0.5


def draw_lines(table: Table, rows: Bools, odds: Floats, grounds: Floats, wrong_blocks: float) -> Thresholds:
    """Draw the lines where wrong blocks, or what is caught, are as wanted among some rows of the table.

    Args:
        table: the cases.
        rows: those that are looked at.
        odds: the log-odds of a leak of every case; where nothing is unread, nothing can leak.
        grounds: the chance of every case that it rests on read text.
        wrong_blocks: what share of what is harmless lies above `balanced`, in each part of a book.
    """
    far, leaks = table.far & rows, table.leaks
    weighed = far & ~leaks & ~table.ruled
    possible = np.where(table.shares < 1, odds, _LOWEST)
    part = np.minimum(table.shares[weighed] * _PARTS, _PARTS - 1).astype(int)
    weights = 1 / np.bincount(part, minlength=_PARTS)[part]
    slope = _slope(table.shares[weighed], possible[weighed], weights, 1 - wrong_blocks)
    level = _level(possible, table.shares, slope)
    grounded = float(np.quantile(grounds[far & table.told], 1 - _GROUNDED_KEPT))
    missed = np.sort(level[far & leaks & (grounds >= grounded)])
    return Thresholds(
        balanced=chance_of(_quantile(level[weighed], weights, 1 - wrong_blocks)),
        doubtful=chance_of(float(np.quantile(level[weighed], 1 - _DOUBTFUL_WRONG_BLOCKS))),
        strict=chance_of(float(missed[int((1 - _STRICT_CAUGHT) * (far & leaks).sum())])),
        grounded=grounded,
        slope=slope,
    )


def above(table: Table, odds: Floats, lines: Thresholds, line: float) -> Bools:
    """Return which cases a line blocks, with those that a rule blocks."""
    is_above: Bools = _level(odds, table.shares, lines.slope) >= np.log(line / (1 - line))
    return (is_above & (table.shares < 1)) | table.ruled


def _level(odds: Floats, shares: Floats, slope: float) -> Floats:
    """Return log-odds as they would be in the middle of the book."""
    return odds + slope * (shares - _MIDDLE)


def _slope(shares: Floats, odds: Floats, weights: Floats, quantile: float) -> float:
    """Return the slope of the straight line that has its share of the cases below it, by quantile regression.

    The loss is convex in the slope, each having its best level; so the least is closed in on from both sides.
    """

    def loss(slope: float) -> float:
        rest = _level(odds, shares, slope)
        over = rest - _quantile(rest, weights, quantile)
        return float((weights * np.maximum(quantile * over, (quantile - 1) * over)).sum())

    low, high = -_STEEPEST, _STEEPEST
    for _ in range(_STEPS):
        third = (high - low) / 3
        if loss(low + third) <= loss(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def _quantile(values: Floats, weights: Floats, quantile: float) -> float:
    """Return the value that has a share of the weight up to it."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, quantile * reached[-1])])
