"""The fitted score: how likely a sentence leaks, by decision trees over its features.

Of a book with reading notes the same trees look at the book's text and at the notes, and what both say is weighed. All
weights are numbers in `fitted_score.json`, which `benchmarks.guard_fit` writes from labelled books.
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
    """Decision trees of depth three, whose answers are added up (gradient boosting).

    A row is a tree: `split` names the features that its seven splits look at, in breadth-first order, `thresholds` says
    up to where each goes left, and `leaves` holds its eight answers. Their sum and `base` are the log-odds of a yes.
    """

    features: tuple[str, ...]
    base: float
    split: NDArray[np.intp]
    thresholds: NDArray[np.float64]
    leaves: NDArray[np.float64]

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log-odds that the model gives."""
        given = np.array([values[name] for name in self.features], dtype=np.float64)
        goes_right = given[self.split] > self.thresholds
        rows = np.arange(len(self.leaves))
        node = np.zeros(len(rows), dtype=np.intp)
        for _ in range(_DEPTH):
            node = 2 * node + 1 + goes_right[rows, node]
        return self.base + float(self.leaves[rows, node - (2**_DEPTH - 1)].sum())

    def chance(self, values: Mapping[str, float]) -> float:
        """Return the chance, 0 to 1, that the model gives."""
        return chance_of(self.log_odds(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The lines that chances are held against.

    A sentence leaks from `balanced` on, or from `strict` on where the guard is strict, and is in doubt from `doubtful`
    on. These three fall as the book is read: early on nearly everything lies ahead and scores are high, late they are
    low, and one line for all pages would block what is harmless at the beginning and let leaks pass at the end. They
    are given for a reader in the middle of the book; `slope` is by how much they fall from the first page to the last,
    in log-odds. From `grounded` on a sentence rests on read text.
    """

    balanced: float
    strict: float
    doubtful: float
    grounded: float
    slope: float

    def at(self, share: float) -> "Thresholds":
        """Return the lines for somebody who has read this share of the book, 0 to 1."""
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
    """How the log-odds that the trees see in a book's text and in its reading notes make one: their weighed sum.

    Notes are believed only so far: they cannot take away more than a little of what the text itself makes suspect.
    Whoever wrote them may have known the end, and have told it early.
    """

    base: float
    text: float
    notes: float

    def log_odds(self, by_text: float, by_notes: float) -> float:
        """Return the log-odds by both."""
        return max(self.base + self.text * by_text + self.notes * by_notes, by_text - _MOST_CLEARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedScore:
    """What was fitted: how likely a sentence leaks, how likely it rests on read text, and where the lines are drawn.

    `noted_thresholds` are the lines for books with notes. Whether a sentence is grounded is asked of the text alone.
    """

    leaks: Trees
    grounded: Trees
    noted: Weighing
    thresholds: Thresholds
    noted_thresholds: Thresholds

    def leak_chance(self, values: Mapping[str, float], noted: Mapping[str, float] | None = None) -> float:
        """Return the chance that a sentence leaks, by its features in the text and, if there are any, in the notes."""
        log_odds = self.leaks.log_odds(values)
        if noted is not None:
            log_odds = self.noted.log_odds(log_odds, self.leaks.log_odds(noted))
        return chance_of(log_odds + kind_odds(values))


def kind_odds(values: Mapping[str, float]) -> float:
    """Return what is added to the log-odds of a leak for the kind of a sentence.

    Talk about the book and its readers has to look worse than others. What one unread sentence says whole looks worse
    than it would by its words: in "X killed Y" all of them are known long before.
    """
    if is_talk(values):
        return _TALK
    return _WHOLE if values["whole"] else 0.0


def chance_of(log_odds: float) -> float:
    """Return log-odds as a chance, 0 to 1."""
    return 1 / (1 + math.exp(-log_odds))


@cache
def fitted_score() -> FittedScore:
    """Return the score that comes with the program."""
    return read_fitted_score(files("core.guard").joinpath("fitted_score.json").read_text(encoding="utf-8"))


def read_fitted_score(text: str) -> FittedScore:
    """Read what `benchmarks.guard_fit` wrote.

    Raises:
        ValueError: it is not of that form.
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
    """Return a chance with its odds multiplied."""
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
