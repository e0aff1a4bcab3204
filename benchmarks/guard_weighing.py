"""How what the trees see in a book's text and in its notes is weighed: a regression over their log-odds (guard_fit)."""

import numpy as np

from benchmarks.guard_table import Bools, Floats
from core.guard.score import Weighing

_STEPS = 25
_DIGITS = 4


def weigh(by_text: Floats, by_notes: Floats, given: Floats, wanted: Bools) -> Weighing:
    """Fit a logistic regression by Newton's steps; `given` is added to the log-odds of each case as it is.

    Sums, not products of matrices: BLAS adds up in another order where it has more threads.
    """
    columns = [np.ones(len(wanted)), by_text, by_notes]
    weights = np.array([0.0, 0.5, 0.5])
    for _ in range(_STEPS):
        odds = given + sum(weight * column for weight, column in zip(weights.tolist(), columns, strict=True))
        chance = 1 / (1 + np.exp(-odds))
        certainty = chance * (1 - chance)
        slope = np.array([(column * (wanted - chance)).sum() for column in columns])
        bend = np.array([[(one * other * certainty).sum() for other in columns] for one in columns])
        weights = weights + np.linalg.solve(bend, slope)
    base, text, notes = (round(float(weight), _DIGITS) for weight in weights)
    return Weighing(base=base, text=text, notes=notes)
