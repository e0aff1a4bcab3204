"""Fit the guard's score on labelled books, and write core/guard/fitted_score.json.

    pip install scikit-learn
    python -m benchmarks.guard_fit FOLDER ... [--with OLD.json [--known NAME ...]] [--write]

Folders are of the form of fixtures/sample (`statements.jsonl`); folders of one name are one book. Printed is what the
score gives on books that it was not fitted on: each book is judged by a model of the others. The lines (thresholds) are
drawn on those scores too. `--with`: an earlier score, fitted on books that are no longer at hand, has half of the say;
the books that it has `--known` are judged without it. Without --write nothing is changed. Nothing of the books goes
into the file but numbers.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier  # type: ignore[import-not-found, unused-ignore]

from adapters.readers.choose import reader_for
from benchmarks.guard_lines import Bools, Floats, Table, draw_lines, show
from bot.evaluation.guard_labels import StatedBook, cases_of, stated_books
from core.guard.book_index import index_book
from core.guard.claim import claim_of
from core.guard.features import features
from core.guard.judge import Exempt
from core.guard.normalise import plain
from core.guard.rules import late_names
from core.guard.score import Trees, leak_chance, read_fitted_score

SCORE_FILE = Path(__file__).resolve().parent.parent / "core" / "guard" / "fitted_score.json"
_DEPTH = 3
_SEEDS = (1, 2)
_TREES = 250
_RATE = 0.05


def main() -> None:
    given = arguments()
    earlier = read_fitted_score(given.earlier.read_text(encoding="utf-8")) if given.earlier else None
    table = tabulate(stated_books(given.folders))
    everywhere = np.ones(len(table.cases), dtype=bool)
    news = ~np.isin(table.books, given.known)
    scores = held_out(table, table.leaks, everywhere, leak_chance, earlier.leaks if earlier else None, news)
    scores[table.ruled] = 1.0
    grounds = held_out(table, table.told, table.about_told, Trees.chance, earlier.grounded if earlier else None, news)
    lines = draw_lines(table, scores, grounds)
    show(table, scores, grounds, lines)
    if given.write:
        leaks, grounded = fit(table, table.leaks, everywhere), fit(table, table.told, table.about_told)
        written = {
            "about": f"Fitted by benchmarks.guard_fit on {len(set(table.books))} labelled books"
            f"{', with an earlier score' if earlier else ''}; numbers only.",
            "thresholds": {name: round(value, 4) for name, value in asdict(lines).items()},
            "leaks": as_json(blended(leaks, earlier.leaks) if earlier else leaks),
            "grounded": as_json(blended(grounded, earlier.grounded) if earlier else grounded),
        }
        SCORE_FILE.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{SCORE_FILE}: {SCORE_FILE.stat().st_size / 1000:.0f} KB")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--with", dest="earlier", type=Path)
    parser.add_argument("--known", nargs="*", default=[])
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


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
                rows.append(features(claim, last_page=case.page))
                names_of.append(book.name)
                cases.append(case)
                ruled.append(bool(late_names(claim, last_page=case.page)))
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
    earlier: Trees | None,
    news: Bools,
) -> Floats:
    """Return what models of the other books say of each case; of books that are news to them, an earlier score too."""
    chances = np.zeros(len(table.cases))
    for book in np.unique(table.books):
        model = fit(table, wanted, rows & (table.books != book))
        at_book = np.flatnonzero(table.books == book)
        if earlier is not None and news[at_book].all():
            model = blended(model, earlier)
        for at in at_book:
            chances[at] = chance(model, dict(zip(table.names, table.values[at], strict=True)))
    return chances


def blended(one: Trees, other: Trees) -> Trees:
    """Return one model of two, each with half of the say."""
    places = np.array([one.features.index(name) for name in other.features], dtype=np.intp)
    return Trees(
        features=one.features,
        base=(one.base + other.base) / 2,
        split=np.concatenate([one.split, places[other.split]]),
        thresholds=np.concatenate([one.thresholds, other.thresholds]),
        leaves=np.concatenate([one.leaves, other.leaves]) / 2,
    )


def as_json(trees: Trees) -> dict[str, object]:
    return {
        "features": list(trees.features),
        "base": round(trees.base, 6),
        "split": trees.split.tolist(),
        "thresholds": trees.thresholds.tolist(),
        "leaves": [[float(f"{leaf:.5g}") for leaf in leaves] for leaves in trees.leaves.tolist()],
    }


if __name__ == "__main__":
    main()
