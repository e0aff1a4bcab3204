"""The fitted score: the probability that a sentence leaks, from decision trees over its features.

For a book with reading notes, the same trees score the text and the notes, and both are combined. All weights are in
`fitted_score.json`, which `benchmarks.guard_fit` writes from labelled books.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from core.guard.style import is_talk

_DEPTH = 3
_TALK = -1.0
_WHOLE = 1.0
_MOST_CLEARED = 1.0
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Decision trees of depth three, whose values are added up (gradient boosting). Each row is a tree.

    Attributes:
        features: the names of the features.
        base: added to the sum of all trees.
        split: the features of a tree's seven splits, in breadth-first order.
        thresholds: a split goes left up to this value.
        leaves: the eight leaves of a tree, in log-odds.
    """

    features: tuple[str, ...]
    base: float
    split: NDArray[np.intp]
    thresholds: NDArray[np.float64]
    leaves: NDArray[np.float64]

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log-odds for these features."""
        given = np.array([values[name] for name in self.features], dtype=np.float64)
        goes_right = given[self.split] > self.thresholds
        rows = np.arange(len(self.leaves))
        node = np.zeros(len(rows), dtype=np.intp)
        for _ in range(_DEPTH):
            node = 2 * node + 1 + goes_right[rows, node]
        return self.base + float(self.leaves[rows, node - (2**_DEPTH - 1)].sum())

    def chance(self, values: Mapping[str, float]) -> float:
        """Return the probability, 0 to 1, for these features."""
        return chance_of(self.log_odds(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The thresholds for probabilities, 0 to 1.

    The first three fall as the book is read. Early in a book nearly all text is unread and scores are high; late they
    are low. A constant threshold would block harmless sentences at the beginning and let leaks pass at the end.

    Attributes:
        balanced: a sentence leaks from here, for a reader in the middle of the book.
        strict: the same for a strict guard.
        doubtful: a sentence is in doubt from here.
        grounded: read text supports a sentence from here.
        slope: by how much the first three fall from the first page to the last, in log-odds.
    """

    balanced: float
    strict: float
    doubtful: float
    grounded: float
    slope: float

    def at(self, share: float) -> "Thresholds":
        """Return the thresholds for a reader of this share of the book, 0 to 1."""
        odds = math.exp(self.slope * (_MIDDLE - share))
        return replace(
            self,
            balanced=_weighed(self.balanced, odds),
            strict=_weighed(self.strict, odds),
            doubtful=_weighed(self.doubtful, odds),
            slope=0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """Weights that combine the log-odds from a book's text and from its notes.

    The effect of notes that lower the score is limited, since their author may have known the end and told it early.
    """

    base: float
    text: float
    notes: float

    def log_odds(self, by_text: float, by_notes: float) -> float:
        """Return the combined log-odds."""
        return max(self.base + self.text * by_text + self.notes * by_notes, by_text - _MOST_CLEARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedScore:
    """The fitted parameters.

    Attributes:
        leaks: trees for the probability that a sentence leaks.
        grounded: trees for the probability that read text supports it; they use the text alone.
        noted: combines the scores from text and notes.
        thresholds: thresholds for books without notes.
        noted_thresholds: thresholds for books with notes.
    """

    leaks: Trees
    grounded: Trees
    noted: Weighing
    thresholds: Thresholds
    noted_thresholds: Thresholds

    def leak_chance(self, values: Mapping[str, float], noted: Mapping[str, float] | None = None) -> float:
        """Return the probability, 0 to 1, that a sentence leaks, from its features in the text and in the notes."""
        log_odds = self.leaks.log_odds(values)
        if noted is not None:
            log_odds = self.noted.log_odds(log_odds, self.leaks.log_odds(noted))
        return chance_of(log_odds + kind_odds(values))


def kind_odds(values: Mapping[str, float]) -> float:
    """Return what a sentence's kind adds to the log-odds of a leak.

    Talk about the book and its readers is less suspicious. A sentence whose content is in one unread sentence is more
    suspicious: in "X killed Y" all words may be read long before.
    """
    if is_talk(values):
        return _TALK
    return _WHOLE if values["whole"] else 0.0


def chance_of(log_odds: float) -> float:
    """Convert log-odds to a probability, 0 to 1."""
    return 1 / (1 + math.exp(-log_odds))


@cache
def fitted_score() -> FittedScore:
    """Return the fitted score that is shipped with the program."""
    return read_fitted_score(files("core.guard").joinpath("fitted_score.json").read_text(encoding="utf-8"))


def read_fitted_score(text: str) -> FittedScore:
    """Parse the file that `benchmarks.guard_fit` wrote.

    Raises:
        ValueError: the text has another form.
    """
    given = json.loads(text)
    try:
        return FittedScore(
            leaks=_trees(given["leaks"]),
            grounded=_trees(given["grounded"]),
            noted=Weighing(**_numbers(given["noted"])),
            thresholds=Thresholds(**_numbers(given["thresholds"])),
            noted_thresholds=Thresholds(**_numbers(given["noted_thresholds"])),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"This is no score of the guard: {error!r} is missing or wrong.") from error


def _weighed(chance: float, odds: float) -> float:
    """Return a probability with its odds multiplied by `odds`."""
    return odds * chance / (odds * chance + 1 - chance)


def _numbers(given: Mapping[str, object]) -> dict[str, float]:
    return {name: float(str(value)) for name, value in given.items()}


def _trees(given: Mapping[str, object]) -> Trees:
    names, splits, thresholds, leaves = (given[key] for key in ("features", "split", "thresholds", "leaves"))
    if not isinstance(names, Sequence):
        raise TypeError("features")
    return Trees(
        features=tuple(str(name) for name in names),
        base=float(str(given["base"])),
        split=np.array(splits, dtype=np.intp),
        thresholds=np.array(thresholds, dtype=np.float64),
        leaves=np.array(leaves, dtype=np.float64),
    )
