"""The cases that the guard's score is fitted on, and the lines drawn on the scores of books held out (guard_fit).

Scores fall as a book is read, since less and less lies ahead. So the lines fall too: along the scores of what is
harmless, every part of the book counting alike.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import QuantileRegressor  # type: ignore[import-not-found, unused-ignore]

from bot.evaluation.guard_labels import SAFE, Case
from core.guard.score import Thresholds

_WRONG_BLOCKS = 0.06
_DOUBTFUL_WRONG_BLOCKS = 0.2
_STRICT_CAUGHT = 0.97
_GROUNDED_KEPT = 0.9
_PARTS = 8
_MIDDLE = 0.5
_LOWEST = -10.0

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
    def shares(self) -> Floats:
        """How much of the book is read."""
        return np.array([case.share for case in self.cases])

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


def draw_lines(table: Table, scores: Floats, grounds: Floats) -> Thresholds:
    """Draw the lines where wrong blocks, or what is caught, are as wanted; at the end of a book nothing can leak."""
    far, leaks = table.far, table.leaks
    weighed = far & ~leaks & ~table.ruled
    along = (table.shares - _MIDDLE)[:, None]
    odds = np.where(table.shares < 1, log_odds(scores), _LOWEST)
    part = np.minimum(table.shares[weighed] * _PARTS, _PARTS - 1).astype(int)
    weights = 1 / np.bincount(part, minlength=_PARTS)[part]
    line = QuantileRegressor(quantile=1 - _WRONG_BLOCKS, alpha=0.0, solver="highs")
    line.fit(along[weighed], odds[weighed], sample_weight=weights)
    slope = -float(line.coef_[0])
    level = odds + slope * along[:, 0]
    grounded = float(np.quantile(grounds[far & table.told], 1 - _GROUNDED_KEPT))
    missed = np.sort(level[far & leaks & (grounds >= grounded)])
    return Thresholds(
        balanced=chance(float(line.intercept_)),
        doubtful=chance(float(np.quantile(level[weighed], 1 - _DOUBTFUL_WRONG_BLOCKS))),
        strict=chance(float(missed[int((1 - _STRICT_CAUGHT) * (far & leaks).sum())])),
        grounded=grounded,
        slope=slope,
    )


def show(table: Table, scores: Floats, grounds: Floats, lines: Thresholds) -> None:
    """Print how the scores tell leaks from others, and what the lines make of them."""
    far, leaks = table.far, table.leaks
    hits, others = scores[far & leaks], np.sort(scores[far & ~leaks])
    print(f"{int(far.sum())} cases of {len(set(table.books))} books")
    print(f"  area under the curve: {(np.searchsorted(others, hits) / len(others)).mean():.4f}")
    for wrong in (0.02, 0.05, 0.1, 0.2):
        line = np.quantile(others, 1 - wrong, method="higher")
        print(f"  caught at {wrong:4.0%} wrong blocks: {(hits > line).mean():.3f}")
    print("lines:", lines)
    level = log_odds(scores) + lines.slope * (table.shares - _MIDDLE)
    may_leak = (table.shares < 1) | table.ruled
    balanced, strict = (
        may_leak & ((level >= log_odds(np.array(line))) | table.ruled) for line in (lines.balanced, lines.strict)
    )
    grounded = grounds >= lines.grounded
    verdicts = {"balanced": balanced, "strict": strict | ~grounded}
    print(f"{'':16}" + "".join(f"{name + ': caught, wrong':>24}" for name in verdicts) + f"{'grounded: told, not':>24}")
    for name, group in groups(table).items():
        shown = [share(verdict, group & far & side) for verdict in verdicts.values() for side in (leaks, ~leaks)]
        shown += [share(grounded, group & far & side) for side in (table.told, ~table.told)]
        print(f"{name:16}" + "".join(f"{one:>12}" for one in shown))


def groups(table: Table) -> dict[str, Bools]:
    """Return the cases by kind, book and share of the book that is read."""
    kinds = np.array([case.statement.kind for case in table.cases])
    found = {"all": np.ones(len(table.cases), dtype=bool)}
    found |= {str(kind): kinds == kind for kind in np.unique(kinds)}
    found |= {str(book): table.books == book for book in np.unique(table.books)}
    quarters = (0.0, 0.25, 0.5, 0.75)
    return found | {
        f"{low:.0%}-{low + 0.25:.0%}": (table.shares > low) & (table.shares <= low + 0.25) for low in quarters
    }


def share(verdict: Bools, group: Bools) -> str:
    return f"{verdict[group].mean():.2f}" if group.any() else ""


def log_odds(chances: Floats) -> Floats:
    kept = np.clip(chances, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(kept / (1 - kept)))


def chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))
