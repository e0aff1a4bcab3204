"""The guard's weights come from labels at hand: the same labels give the same bits, wherever they are fitted."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.guard_fit import SCORE_FILE, fitted_on, fitting_on, labelled_books, trees_json
from benchmarks.guard_table import tabulate
from bot.evaluation.guard import StatedBook, stated_books
from core.guard.score import fitted_score

_ROOT = Path(__file__).resolve().parents[3]
_PRACTICE = _ROOT.parent / "shared" / "books"
_MEAN_ODDS = [-0.66517, -1.37619, -0.68879]
"""Of leaks by the text, of being grounded, and of leaks by the notes."""


def _at_hand() -> list[StatedBook]:
    if not _PRACTICE.is_dir():
        pytest.skip("The practice books are not at hand.")
    return labelled_books(_PRACTICE)


def test_the_shipped_score_is_fitted_on_the_labels_at_hand() -> None:
    shipped = json.loads(SCORE_FILE.read_text(encoding="utf-8"))
    assert shipped["fitted_on"] == fitted_on(_at_hand()), (
        "Labels have changed: python -m benchmarks.guard_fit FOLDER --write"
    )


def test_the_shipped_trees_say_of_the_sample_what_they_said_when_they_were_fitted() -> None:
    """Notices figures that are computed in another way since, on every eighth statement of the sample."""
    (sample,) = stated_books([_ROOT / "fixtures" / "sample"])
    table = tabulate([replace(sample, statements=sample.statements[::8])])
    score, every = fitted_score(), np.ones(len(table.cases), dtype=bool)
    assert score.leaks.features == table.names
    said = [table.rated(every, score.leaks.log_odds), table.rated(every, score.grounded.log_odds)]
    noted = table.noted_rated(table.has_notes, score.leaks.log_odds)
    assert [float(odds.mean()) for odds in (*said, noted)] == pytest.approx(_MEAN_ODDS, abs=1e-4), (
        "The guard's figures or the labels have changed: python -m benchmarks.guard_fit FOLDER --write, then put the "
        "new means here"
    )


@pytest.mark.refit
def test_the_shipped_trees_are_what_the_labels_at_hand_give() -> None:
    shipped = json.loads(SCORE_FILE.read_text(encoding="utf-8"))
    assert trees_json(fitting_on(_at_hand()).trees("leaks")) == shipped["leaks"]
