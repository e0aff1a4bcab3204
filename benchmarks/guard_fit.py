"""Fit the guard's score on labelled books, and write core/guard/fitted_score.json.

    python -m benchmarks.guard_fit FOLDER [--write]

FOLDER holds a folder for each labelled book, of the form of fixtures/sample (`statements.jsonl`); the sample itself
always comes along. Printed is what the score gives on books that it was not fitted on: each book is judged by trees,
weights and lines (thresholds) of the others, and those with reading notes (`notes.jsonl`) with and without them.
Without --write nothing is changed. The same labels give the same file, bit for bit. Nothing of the books goes into it
but numbers, and the hashes of the files that it was fitted on.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.boosting import Growth, boosted
from benchmarks.guard_lines import NOTED_WRONG_BLOCKS, WRONG_BLOCKS, above, draw_lines
from benchmarks.guard_shown import show_curve, show_verdicts
from benchmarks.guard_table import Bools, Floats, Table, tabulate
from benchmarks.guard_weighing import weigh
from bot.evaluation.guard import STATEMENTS, StatedBook, stated_books
from core.guard.score import Thresholds, Trees, Weighing, kind_odds

_ROOT = Path(__file__).resolve().parent.parent
SCORE_FILE = _ROOT / "core" / "guard" / "fitted_score.json"
_DIGITS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    books = labelled_books(given.folder)
    fitting = fitting_on(books)
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
    """What trees that never saw a case's book say of it.

    `by_text` and `by_notes` are the log-odds of a leak, the latter not a number where there are no notes; `kinds` is
    what is added for the kind of the sentence. `grounds` is the chance that it rests on read text.
    """

    by_text: Floats
    by_notes: Floats
    kinds: Floats
    grounds: Floats

    def odds(self, weighing: Weighing | None) -> Floats:
        """Return the log-odds of a leak: by text and notes as they are weighed, else by the text alone."""
        if weighing is None:
            return self.by_text + self.kinds
        both = zip(self.by_text.tolist(), self.by_notes.tolist(), strict=True)
        return np.array([weighing.log_odds(by_text, by_notes) for by_text, by_notes in both]) + self.kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Fits trees on all books but some, each such set once."""

    table: Table
    growth: Growth
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
        table = self.table
        by_text, grounds = (np.zeros(len(table.cases)) for _ in range(2))
        by_notes = np.full(len(table.cases), np.nan)
        for book in map(str, np.unique(table.books)):
            rows, leaks = table.books == book, self.trees("leaks", book, *without)
            by_text[rows] = table.rated(rows, leaks.log_odds)
            grounds[rows] = table.rated(rows, self.trees("grounded", book).chance)
            noted = rows & table.has_notes
            by_notes[noted] = table.noted_rated(noted, leaks.log_odds)
        kinds = table.rated(np.ones(len(table.cases), dtype=bool), kind_odds)
        return Readings(by_text=by_text, by_notes=by_notes, kinds=kinds, grounds=grounds)


def fitting_on(books: Sequence[StatedBook], growth: Growth | None = None) -> Fitting:
    """Return what fits on these books; some have notes.

    Raises:
        ValueError: none has.
    """
    table = tabulate(books)
    if not table.has_notes.any():
        raise ValueError("None of these books has notes: how they are weighed cannot be fitted.")
    return Fitting(table=table, growth=growth or Growth())


def weighed(table: Table, rows: Bools, readings: Readings) -> Weighing:
    """Weigh text and notes on those of some rows that have notes."""
    rows = rows & table.has_notes
    return weigh(readings.by_text[rows], readings.by_notes[rows], readings.kinds[rows], table.leaks[rows])


def fitted_json(fitting: Fitting, books: Sequence[StatedBook]) -> str:
    """Return the score that comes with the program as it is written: trees of all books, lines of books held out."""
    table, readings = fitting.table, fitting.readings()
    everywhere = np.ones(len(table.cases), dtype=bool)
    weighing = weighed(table, everywhere, readings)
    lines = draw_lines(table, everywhere, readings.odds(None), readings.grounds, WRONG_BLOCKS)
    noted_lines = draw_lines(table, table.has_notes, readings.odds(weighing), readings.grounds, NOTED_WRONG_BLOCKS)
    written = {
        "about": "Fitted by benchmarks.guard_fit; numbers only, and the SHA-256 of the files that it was fitted on.",
        "fitted_on": fitted_on(books),
        "noted": asdict(weighing),
        "thresholds": _lines_json(lines),
        "noted_thresholds": _lines_json(noted_lines),
        "leaks": trees_json(fitting.trees("leaks")),
        "grounded": trees_json(fitting.trees("grounded")),
    }
    return json.dumps(written, separators=(",", ":")) + "\n"


def _show(fitting: Fitting) -> None:
    """Print what comes out on books held out: by the text, and of those with notes by both."""
    has_notes = fitting.table.has_notes
    print("By the text alone:")
    _show_held_out(fitting, np.ones(len(has_notes), dtype=bool), with_notes=False)
    if has_notes.any():
        print("The books with notes, by the text alone:")
        _show_held_out(fitting, has_notes, with_notes=False)
        print("The books with notes, with them:")
        _show_held_out(fitting, has_notes, with_notes=True)


def _show_held_out(fitting: Fitting, shown: Bools, *, with_notes: bool) -> None:
    table, readings = fitting.table, fitting.readings()
    odds = np.zeros(len(table.cases))
    balanced, strict, grounded = (np.zeros(len(table.cases), dtype=bool) for _ in range(3))
    for book in np.unique(table.books[shown]):
        rows, others = table.books == book, fitting.readings(str(book))
        learnt = ~rows & (table.has_notes | (not with_notes))
        weighing = weighed(table, learnt, others) if with_notes else None
        share = NOTED_WRONG_BLOCKS if with_notes else WRONG_BLOCKS
        lines = draw_lines(table, learnt, others.odds(weighing), others.grounds, share)
        rests = readings.grounds >= lines.grounded
        odds[rows] = readings.odds(weighing)[rows]
        balanced[rows] = above(table, odds, lines, lines.balanced)[rows]
        strict[rows] = (above(table, odds, lines, lines.strict) | ~rests)[rows]
        grounded[rows] = rests[rows]
    show_curve(table, shown, odds)
    show_verdicts(table, shown, {"balanced": balanced, "strict": strict}, grounded)


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
