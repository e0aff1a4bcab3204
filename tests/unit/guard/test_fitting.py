"""The guard's weights come from labels at hand: the same labels give the same bits, wherever they are fitted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.guard_fit import SCORE_FILE, fitted_on, fitting_on, labelled_books, trees_json
from bot.evaluation.guard import StatedBook

_ROOT = Path(__file__).resolve().parents[3]
_PRACTICE = _ROOT.parent / "shared" / "books"
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


def test_the_shipped_trees_are_what_the_labels_at_hand_give() -> None:
    books = _at_hand()
    shipped = json.loads(SCORE_FILE.read_text(encoding="utf-8"))
    assert shipped["fitted_on"] == fitted_on(books), (
        "Labels have changed: python -m benchmarks.guard_fit FOLDER --write"
    )
    assert trees_json(fitting_on(books).trees("leaks")) == shipped["leaks"]
