"""Fit the guard's score on labelled books, and write core/guard/fitted_score.json.

    python -m benchmarks.guard_fit FOLDER [--write]

FOLDER holds a folder for each labelled book, of the form of fixtures/sample (`statements.jsonl`); the sample itself
always comes along. Printed is what the score gives on books that it was not fitted on: each book is judged by trees and
lines (thresholds) of the others. Without --write nothing is changed. The same labels give the same file, bit for bit.
Nothing of the books goes into it but numbers, and the hashes of the files that it was fitted on.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.boosting import Growth, boosted
from benchmarks.guard_lines import above, draw_lines
from benchmarks.guard_shown import show_curve, show_verdicts
from benchmarks.guard_table import Floats, Table, tabulate
from bot.evaluation.guard_labels import STATEMENTS, StatedBook, stated_books
from core.guard.score import Thresholds, Trees, leak_log_odds

_ROOT = Path(__file__).resolve().parent.parent
SCORE_FILE = _ROOT / "core" / "guard" / "fitted_score.json"
_DIGITS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    books = labelled_books(given.folder)
    fitting = Fitting(table=tabulate(books))
    _show(fitting)
    if given.write:
        SCORE_FILE.write_text(fitted_json(fitting, books), encoding="utf-8")
        print(f"{SCORE_FILE}: {SCORE_FILE.stat().st_size / 1000:.0f} KB")


def labelled_books(folder: Path) -> list[StatedBook]:
    """Return the sample and the labelled books of a folder, by name."""
    practice = sorted(labels.parent for labels in folder.glob(f"*/{STATEMENTS}"))
    return stated_books([_ROOT / "fixtures" / "sample", *practice])


def fitted_on(books: Sequence[StatedBook]) -> dict[str, str]:
    """Return the SHA-256 of every file that has a say in the score."""
    return {
        f"{book.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for book in books
        for path in book.files
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What trees that never saw a case's book say of it: the log-odds of a leak, the chance that it is grounded."""

    odds: Floats
    grounds: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Fits trees on all books but some, each such set once."""

    table: Table
    growth: Growth = Growth()  # noqa: RUF009 (frozen)
    _grown: dict[tuple[str, frozenset[str]], Trees] = field(default_factory=dict)

    def trees(self, what: str, *without: str) -> Trees:
        """Return the trees for `leaks` or `grounded`, fitted on the cases of all books but those."""
        key = (what, frozenset(without))
        if key not in self._grown:
            table, is_leak = self.table, what == "leaks"
            rows = ~np.isin(table.books, without) & (True if is_leak else table.about_told)
            wanted = table.leaks if is_leak else table.told
            self._grown[key] = boosted(table.names, table.values[rows], wanted[rows], self.growth)
        return self._grown[key]

    def readings(self, *without: str) -> Readings:
        """Read every case by trees that saw neither its own book nor, for leaks, those."""
        odds, grounds = (np.zeros(len(self.table.cases)) for _ in range(2))
        for book in np.unique(self.table.books):
            rows = self.table.books == book
            odds[rows] = self.table.rated(rows, partial(leak_log_odds, self.trees("leaks", str(book), *without)))
            grounds[rows] = self.table.rated(rows, self.trees("grounded", str(book)).chance)
        return Readings(odds=odds, grounds=grounds)


def fitted_json(fitting: Fitting, books: Sequence[StatedBook]) -> str:
    """Return the score that comes with the program as it is written: trees of all books, lines of books held out."""
    readings = fitting.readings()
    lines = draw_lines(fitting.table, np.ones(len(readings.odds), dtype=bool), readings.odds, readings.grounds)
    written = {
        "about": "Fitted by benchmarks.guard_fit; numbers only, and the SHA-256 of the files that it was fitted on.",
        "fitted_on": fitted_on(books),
        "thresholds": _lines_json(lines),
        "leaks": trees_json(fitting.trees("leaks")),
        "grounded": trees_json(fitting.trees("grounded")),
    }
    return json.dumps(written, separators=(",", ":")) + "\n"


def _show(fitting: Fitting) -> None:
    """Print what comes out on books held out."""
    table, readings = fitting.table, fitting.readings()
    everywhere = np.ones(len(table.cases), dtype=bool)
    show_curve(table, everywhere, readings.odds)
    balanced, strict, grounded = (np.zeros(len(table.cases), dtype=bool) for _ in range(3))
    for book in np.unique(table.books):
        rows, others = table.books == book, fitting.readings(str(book))
        lines = draw_lines(table, ~rows, others.odds, others.grounds)
        rests = readings.grounds >= lines.grounded
        balanced[rows] = above(table, readings.odds, lines, lines.balanced)[rows]
        strict[rows] = (above(table, readings.odds, lines, lines.strict) | ~rests)[rows]
        grounded[rows] = rests[rows]
    show_verdicts(table, everywhere, {"balanced": balanced, "strict": strict}, grounded)


def _lines_json(lines: Thresholds) -> dict[str, float]:
    return {name: round(value, _DIGITS) for name, value in asdict(lines).items()}


def trees_json(trees: Trees) -> dict[str, object]:
    return {
        "features": list(trees.features),
        "base": trees.base,
        "split": trees.split.tolist(),
        "thresholds": trees.thresholds.tolist(),
        "leaves": trees.leaves.tolist(),
    }


if __name__ == "__main__":
    main()
