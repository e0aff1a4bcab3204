"""What guard_fit prints: how the scores of books held out tell leaks from others, and what the lines make of them."""

from collections.abc import Mapping

import numpy as np

from benchmarks.guard_table import Bools, Floats, Table

_QUARTER = 0.25
_WRONG_BLOCKS = (0.02, 0.05, 0.1, 0.2)
_CERTAIN = 99.0


def show_curve(table: Table, rows: Bools, odds: Floats) -> None:
    """Print what one line for all pages would catch, at some shares of wrong blocks, and the areas under the curve."""
    ranked = np.where(table.ruled, _CERTAIN, np.where(table.shares < 1, odds, -_CERTAIN))
    far, leaks = table.far & rows, table.leaks
    print(f"{int(far.sum())} cases of {len(set(table.books[rows]))} books")
    quarters = [_area(ranked, far & _quarter(table, at), leaks) for at in range(4)]
    print(
        f"  area under the curve: {_area(ranked, far, leaks):.4f}; by quarter "
        + " / ".join(f"{area:.3f}" for area in quarters)
    )
    for wrong in _WRONG_BLOCKS:
        line = np.quantile(ranked[far & ~leaks], 1 - wrong, method="higher")
        by_kind = ", ".join(
            f"{kind} {(ranked[group & far & leaks] > line).mean():.2f}"
            for kind, group in _kinds(table).items()
            if (group & far & leaks).any()
        )
        print(f"  caught at {wrong:4.0%} wrong blocks: {(ranked[far & leaks] > line).mean():.3f} ({by_kind})")


def show_verdicts(table: Table, rows: Bools, verdicts: Mapping[str, Bools], grounded: Bools) -> None:
    """Print what each verdict catches and wrongly blocks, and what is found to rest on read text."""
    far = table.far & rows
    print(f"{'':18}" + "".join(f"{name + ': caught, wrong':>26}" for name in verdicts) + f"{'grounded: told, not':>26}")
    for name, group in _groups(table).items():
        if not (group & rows).any():
            continue
        sides = [(verdict, side) for verdict in verdicts.values() for side in (table.leaks, ~table.leaks)]
        sides += [(grounded, table.told), (grounded, ~table.told)]
        print(f"{name:18}" + "".join(f"{_share(verdict, group & far & side):>13}" for verdict, side in sides))


def _groups(table: Table) -> dict[str, Bools]:
    """Return the cases by kind, book and quarter of the book that is read."""
    found = {"all": np.ones(len(table.cases), dtype=bool)} | _kinds(table)
    found |= {str(book): table.books == book for book in np.unique(table.books)}
    return found | {f"{at * _QUARTER:.0%}-{(at + 1) * _QUARTER:.0%}": _quarter(table, at) for at in range(4)}


def _kinds(table: Table) -> dict[str, Bools]:
    kinds = np.array([case.statement.kind for case in table.cases])
    return {str(kind): kinds == kind for kind in np.unique(kinds)}


def _quarter(table: Table, at: int) -> Bools:
    return (table.shares > at * _QUARTER) & (table.shares <= (at + 1) * _QUARTER)


def _area(ranked: Floats, rows: Bools, leaks: Bools) -> float:
    """Return the chance that a leak ranks above what is none; ties count half."""
    of_others = np.sort(ranked[rows & ~leaks])
    below, up_to = (np.searchsorted(of_others, ranked[rows & leaks], side=side) for side in ("left", "right"))
    return float((below + up_to).mean() / 2 / max(len(of_others), 1))


def _share(verdict: Bools, group: Bools) -> str:
    return f"{verdict[group].mean():.3f}" if group.any() else ""
