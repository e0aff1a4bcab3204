"""Means with 95 % confidence intervals; deterministic."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from statistics import NormalDist, fmean

import numpy as np
from numpy.typing import NDArray

_RESAMPLES = 10_000
_SEED = 20_000
_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean and its 95 % confidence interval."""

    value: float
    low: float
    high: float


def numbers(figure: Estimate | None) -> dict[str, float] | None:
    """Return a figure as `--json` prints it."""
    return None if figure is None else {name: round(value, 4) for name, value in asdict(figure).items()}


def shown(figure: Estimate | None, *, sign: str = "") -> str:
    """Return a figure for a table."""
    if figure is None:
        return "-"
    return f"{figure.value:{sign}.2f} [{figure.low:{sign}.2f}, {figure.high:{sign}.2f}]"


def share(hits: Sequence[bool]) -> Estimate:
    """Return the share of hits with Wilson's interval, which also works for few questions and near 0 and 1.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 1927.
    """
    count, value = len(hits), fmean(hits)
    spread = _Z**2 / count
    middle = (value + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(value * (1 - value) / count + spread / (4 * count)) / (1 + spread)
    return Estimate(value=value, low=max(0.0, middle - half), high=min(1.0, middle + half))


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean with its bootstrap interval (percentiles over resampled questions)."""
    given = np.asarray(values, dtype=np.float64)
    low, high = np.percentile(given[_drawn(len(given))].mean(axis=1), [2.5, 97.5])
    return Estimate(value=float(given.mean()), low=float(low), high=float(high))


def paired_difference(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """Return the paired difference over the same questions, so that hard questions add no variance."""
    return mean([mine - other for mine, other in zip(ours, theirs, strict=True)])


@lru_cache(maxsize=1)
def _drawn(count: int) -> NDArray[np.int64]:
    """Resample questions; cached, since a report has many figures of the same questions."""
    return np.random.default_rng(_SEED).integers(0, count, size=(_RESAMPLES, count))
