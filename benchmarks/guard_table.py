"""The cases that the guard's score is fitted on, as a table: what each case is, and its figures."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.readers.choose import reader_for
from bot.evaluation.guard import SAFE, Case, StatedBook, cases_of
from core.guard.book_index import index_book, index_notes
from core.guard.claim import claim_of
from core.guard.features import features
from core.guard.judge import Exempt
from core.guard.normalise import plain
from core.guard.rules import late_names

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Figures = dict[str, float]
Rate = Callable[[Figures], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A row a case: what it is, its book, its figures by the names of the columns, and whether a rule blocks it.

    `noted` are the figures in the notes on the book, not a number where it has none.
    """

    names: tuple[str, ...]
    values: Floats
    noted: Floats
    books: NDArray[np.str_]
    cases: tuple[Case, ...]
    ruled: Bools

    @property
    def leaks(self) -> Bools:
        """What must be blocked."""
        return np.array([case.must_block for case in self.cases])

    @property
    def shares(self) -> Floats:
        """How much of the book is read."""
        return np.array([case.share for case in self.cases])

    @property
    def far(self) -> Bools:
        """Which cases lie more than two pages from the reveal."""
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

    @property
    def has_notes(self) -> Bools:
        """Of which cases the book has notes."""
        return ~np.isnan(self.noted[:, 0])

    def rated(self, rows: Bools, rate: Rate) -> Floats:
        """Return what `rate` makes of the figures of some rows, in the text."""
        return _rated(self.names, self.values[rows], rate)

    def noted_rated(self, rows: Bools, rate: Rate) -> Floats:
        """Return what `rate` makes of the figures of some rows in the notes, which all of these have."""
        return _rated(self.names, self.noted[rows], rate)


def tabulate(books: Iterable[StatedBook]) -> Table:
    """Compute the figures of all cases, to six digits: the last bits differ between kinds of processors."""
    rows = [row for book in books for row in _rows(book)]
    names = tuple(rows[0].figures)
    nothing = dict.fromkeys(names, math.nan)
    return Table(
        names=names,
        values=_numbers(names, [row.figures for row in rows]),
        noted=_numbers(names, [row.noted or nothing for row in rows]),
        books=np.array([row.book for row in rows]),
        cases=tuple(row.case for row in rows),
        ruled=np.array([row.is_ruled for row in rows]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    book: str
    case: Case
    figures: Figures
    noted: Figures | None
    is_ruled: bool


def _rows(book: StatedBook) -> Iterator[_Row]:
    pages = reader_for(book.text).read(book.text).pages
    index = index_book(pages)
    notes = index_notes(book.notes, index)
    exempt = Exempt.of(book.title, book.author, None)
    for statement in book.statements:
        claim = claim_of(exempt.masked(plain(statement.text)), index, exempt=exempt.always)
        among_notes = claim.among_notes(notes) if notes is not None else None
        for case in cases_of(statement, pages=len(pages)):
            yield _Row(
                book=book.name,
                case=case,
                figures=features(claim, last_page=case.page),
                noted=features(among_notes, last_page=case.page) if among_notes is not None else None,
                is_ruled=bool(late_names(claim, last_page=case.page)),
            )


def _numbers(names: tuple[str, ...], rows: Iterable[Figures]) -> Floats:
    return np.array([[float(f"{row[name]:.6g}") for name in names] for row in rows], dtype=np.float64)


def _rated(names: tuple[str, ...], values: Floats, rate: Rate) -> Floats:
    return np.array([rate(dict(zip(names, row, strict=True))) for row in values.tolist()])
