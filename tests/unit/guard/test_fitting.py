"""The guard's weights come from labels at hand: the same labels give the same bits, wherever they are fitted."""

import json
import os
import subprocess
import sys
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
_SLICE = """
import json
from dataclasses import replace
from pathlib import Path
from benchmarks.boosting import Growth
from benchmarks.guard_fit import fitted_json, fitting_on
from bot.evaluation.guard import stated_books

(sample,) = stated_books([Path("fixtures/sample")])
pages = sample.text.read_text(encoding="utf-8").split("\\f")
notes = tuple((number, page[at : at + 100]) for number, page in enumerate(pages, start=1) for at in (0, 100, 200, 300))
slices = [replace(sample, name=str(at), statements=sample.statements[at::12], notes=notes) for at in range(2)]
growth = Growth(trees=3, least=5)
print(fitted_json(fitting_on(slices, growth), slices))
"""


def _fitted_slice(hash_seed: str, threads: str) -> str:
    """Fit on a slice of the sample in a process of its own."""
    among = {"PYTHONHASHSEED": hash_seed, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
    environment = {name: value for name, value in os.environ.items() if name not in among} | among
    ran = subprocess.run(
        [sys.executable, "-c", _SLICE], cwd=_ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_a_slice_gives_the_same_bits_whatever_the_hashes_and_the_threads() -> None:
    first = _fitted_slice("1", "1")
    assert first == _fitted_slice("2", "4")
    fitted = json.loads(first)
    assert fitted["noted"]["notes"]
    leaves = fitted["leaks"]["leaves"]
    assert len(leaves) == 6
    assert any(any(leaf) for leaf in leaves)


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
