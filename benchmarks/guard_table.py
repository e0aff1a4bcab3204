"""The cases that the guard's score is fitted on, as a table: what each case is, and its figures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.readers.choose import reader_for
from bot.evaluation.guard_labels import SAFE, Case, StatedBook, cases_of
from core.guard.book_index import index_book
from core.guard.claim import claim_of
from core.guard.features import features
from core.guard.judge import Exempt
from core.guard.normalise import plain
from core.guard.rules import late_names

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Figures = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A row a case: what it is, its book, its figures by the names of the columns, and whether a rule blocks it."""

    names: tuple[str, ...]
    values: Floats
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

    def rated(self, rows: Bools, rate: Callable[[Figures], float]) -> Floats:
        """Return what `rate` makes of the figures of some rows."""
        return np.array([rate(dict(zip(self.names, row, strict=True))) for row in self.values[rows].tolist()])


def tabulate(books: Iterable[StatedBook]) -> Table:
    """Compute the figures of all cases, to six digits: the last bits differ between kinds of processors."""
    rows: list[Figures] = []
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
        values=np.array([[float(f"{row[name]:.6g}") for name in names] for row in rows], dtype=np.float64),
        books=np.array(names_of),
        cases=tuple(cases),
        ruled=np.array(ruled),
    )
