"""Fit the guard's score on labelled books, and write core/guard/weights.json.

    pip install scikit-learn
    python -m benchmarks.guard_fit FOLDER ... [--write]

Folders are of the form of fixtures/sample (`statements.jsonl`). Printed is what the score gives on books that it was
not fitted on: each book is judged by a model of the others. The lines (thresholds) are drawn on those scores too.
Without --write nothing is changed. Nothing of the books goes into the weights but numbers.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier  # type: ignore[import-not-found, unused-ignore]

from adapters.readers.choose import reader_for
from core.app.evaluation.guard_labels import SAFE, Case, StatedBook, cases_of, stated_books
from core.guard.book_index import index_book
from core.guard.claim import claim_of
from core.guard.features import features
from core.guard.judge import Exempt
from core.guard.normalise import plain
from core.guard.rules import late_names
from core.guard.score import Trees, leak_chance

WEIGHTS = Path(__file__).resolve().parent.parent / "core" / "guard" / "weights.json"
_DEPTH = 3
_SEEDS = (1, 2)
_TREES = 250
_RATE = 0.05
_WRONG_BLOCKS = 0.045
_DOUBTFUL_WRONG_BLOCKS = 0.2
_STRICT_CAUGHT = 0.97
_GROUNDED_KEPT = 0.9

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A row a case: its features, what it is, and whether a rule blocks it."""

    names: tuple[str, ...]
    values: Floats
    books: NDArray[np.str_]
    cases: tuple[Case, ...]
    ruled: Bools

    @property
    def leaks(self) -> Bools:
        return np.array([case.must_block for case in self.cases])

    @property
    def far(self) -> Bools:
        return np.array([not case.is_near for case in self.cases])

    @property
    def told(self) -> Bools:
        """What stands in read text: statements of the story whose page is read."""
        return np.array([not case.must_block and case.statement.kind != SAFE for case in self.cases])

    @property
    def about_told(self) -> Bools:
        """Which cases say whether grounding works: some safe statements rest on page 1, others on nothing."""
        talk_words = self.values[:, self.names.index("talk_words")]
        return np.array(
            [case.statement.kind != SAFE or talk > 0 for case, talk in zip(self.cases, talk_words, strict=True)]
        )


def main(arguments: list[str]) -> None:
    folders = [Path(name) for name in arguments if not name.startswith("--")]
    table = tabulate(stated_books(folders))
    everywhere = np.ones(len(table.cases), dtype=bool)
    scores = held_out(table, table.leaks, everywhere, leak_chance)
    scores[table.ruled] = 1.0
    grounds = held_out(table, table.told, table.about_told, Trees.chance)
    lines = draw_lines(table, scores, grounds)
    show(table, scores, grounds, lines)
    if "--write" in arguments:
        written = {
            "about": f"Fitted by benchmarks.guard_fit on {len(folders)} labelled books; numbers only.",
            "thresholds": lines,
            "leaks": as_json(fit(table, table.leaks, everywhere)),
            "grounded": as_json(fit(table, table.told, table.about_told)),
        }
        WEIGHTS.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{WEIGHTS}: {WEIGHTS.stat().st_size / 1000:.0f} KB")


def tabulate(books: list[StatedBook]) -> Table:
    """Compute the features of all cases."""
    rows: list[dict[str, float]] = []
    names_of, cases, ruled = [], [], []
    for book in books:
        pages = reader_for(book.text).read(book.text).pages
        index = index_book(pages)
        exempt = Exempt.of(book.title, book.author, None)
        for statement in book.statements:
            claim = claim_of(exempt.masked(plain(statement.text)), index, exempt=exempt.always)
            for case in cases_of(statement, pages=len(pages)):
                rows.append(features(claim, index, last_page=case.page))
                names_of.append(book.name)
                cases.append(case)
                ruled.append(bool(late_names(claim, index, last_page=case.page)))
    names = tuple(rows[0])
    return Table(
        names=names,
        values=np.array([[row[name] for name in names] for row in rows], dtype=np.float64),
        books=np.array(names_of),
        cases=tuple(cases),
        ruled=np.array(ruled),
    )


def fit(table: Table, wanted: Bools, rows: Bools) -> Trees:
    """Fit on some rows; models of three seeds are added up to one."""
    split, thresholds, leaves, base = [], [], [], 0.0
    for seed in _SEEDS:
        model = GradientBoostingClassifier(
            n_estimators=_TREES,
            max_depth=_DEPTH,
            learning_rate=_RATE,
            subsample=0.6,
            max_features=0.3,
            min_samples_leaf=25,
            random_state=seed,
        )
        model.fit(table.values[rows], wanted[rows])
        chance = float(model.init_.class_prior_[1])
        base += float(np.log(chance / (1 - chance))) / len(_SEEDS)
        for (estimator,) in model.estimators_:
            tree = _whole_tree(estimator.tree_, _RATE / len(_SEEDS))
            split.append(tree[0])
            thresholds.append(tree[1])
            leaves.append(tree[2])
    return Trees(
        features=table.names,
        base=base,
        split=np.array(split),
        thresholds=np.array(thresholds),
        leaves=np.array(leaves),
    )


def _whole_tree(tree: object, rate: float) -> tuple[list[int], list[float], list[float]]:
    """Return splits and leaves of a tree, filled up to full depth: a split that is not there sends all to the left."""
    inner = 2**_DEPTH - 1
    split, thresholds, leaves = [0] * inner, [1e30] * inner, [0.0] * (inner + 1)

    def place(node: int, at: int) -> None:
        is_leaf = tree.children_left[node] == -1  # type: ignore[attr-defined]
        if at >= inner:
            leaves[at - inner] = float(f"{tree.value[node][0][0] * rate:.5g}")  # type: ignore[attr-defined]
        elif is_leaf:
            place(node, 2 * at + 1)
        else:
            split[at] = int(tree.feature[node])  # type: ignore[attr-defined]
            thresholds[at] = float(f"{tree.threshold[node]:.6g}")  # type: ignore[attr-defined]
            place(tree.children_left[node], 2 * at + 1)  # type: ignore[attr-defined]
            place(tree.children_right[node], 2 * at + 2)  # type: ignore[attr-defined]

    place(0, 0)
    return split, thresholds, leaves


def held_out(
    table: Table,
    wanted: Bools,
    rows: Bools,
    chance: Callable[[Trees, dict[str, float]], float],
) -> Floats:
    """Return what models of the other books say of each case."""
    chances = np.zeros(len(table.cases))
    for book in np.unique(table.books):
        model = fit(table, wanted, rows & (table.books != book))
        for at in np.flatnonzero(table.books == book):
            chances[at] = chance(model, dict(zip(table.names, table.values[at], strict=True)))
    return chances


def draw_lines(table: Table, scores: Floats, grounds: Floats) -> dict[str, float]:
    """Draw the lines where the wrong blocks, or what is caught, are as wanted."""
    far, leaks = table.far, table.leaks
    passing = scores[far & ~leaks]
    grounded = float(np.quantile(grounds[far & table.told], 1 - _GROUNDED_KEPT))
    missed = np.sort(scores[far & leaks & (grounds >= grounded)])
    may_be_missed = int((1 - _STRICT_CAUGHT) * (far & leaks).sum())
    return {
        "balanced": round(float(np.quantile(passing, 1 - _WRONG_BLOCKS)), 4),
        "doubtful": round(float(np.quantile(passing, 1 - _DOUBTFUL_WRONG_BLOCKS)), 4),
        "strict": round(float(missed[may_be_missed]), 4),
        "grounded": round(grounded, 4),
    }


def show(table: Table, scores: Floats, grounds: Floats, lines: dict[str, float]) -> None:
    far, leaks = table.far, table.leaks
    hits, others = scores[far & leaks], np.sort(scores[far & ~leaks])
    print(f"{int(far.sum())} cases of {len(set(table.books))} books")
    print(f"  area under the curve: {(np.searchsorted(others, hits) / len(others)).mean():.4f}")
    for wrong in (0.02, 0.05, 0.1, 0.2):
        line = np.quantile(others, 1 - wrong, method="higher")
        print(f"  caught at {wrong:4.0%} wrong blocks: {(hits > line).mean():.3f}")
    print("lines:", lines)
    verdicts = {
        "balanced": scores >= lines["balanced"],
        "strict": (scores >= lines["strict"]) | (grounds < lines["grounded"]),
    }
    grounded = grounds >= lines["grounded"]
    print(f"{'':16}" + "".join(f"{name + ': caught, wrong':>24}" for name in verdicts) + f"{'grounded: told, not':>24}")
    for name, group in groups(table).items():
        shown = [share(verdict, group & far & side) for verdict in verdicts.values() for side in (leaks, ~leaks)]
        shown += [share(grounded, group & far & side) for side in (table.told, ~table.told)]
        print(f"{name:16}" + "".join(f"{one:>12}" for one in shown))


def groups(table: Table) -> dict[str, Bools]:
    """Return the cases by kind, book and share of the book that is read."""
    kinds = np.array([case.statement.kind for case in table.cases])
    shares = np.array([case.share for case in table.cases])
    found = {"all": np.ones(len(table.cases), dtype=bool)}
    found |= {str(kind): kinds == kind for kind in np.unique(kinds)}
    found |= {str(book): table.books == book for book in np.unique(table.books)}
    quarters = (0.0, 0.25, 0.5, 0.75)
    return found | {f"{low:.0%}-{low + 0.25:.0%}": (shares > low) & (shares <= low + 0.25) for low in quarters}


def share(verdict: Bools, group: Bools) -> str:
    return f"{verdict[group].mean():.2f}" if group.any() else ""


def as_json(trees: Trees) -> dict[str, object]:
    return {
        "features": list(trees.features),
        "base": round(trees.base, 6),
        "split": trees.split.tolist(),
        "thresholds": trees.thresholds.tolist(),
        "leaves": trees.leaves.tolist(),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
