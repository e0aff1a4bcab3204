"""What the guard catches and what it wrongly blocks: by kind, by share read, by book, and the whole curve.

The cases of one statement depend on each other, so the intervals resample statements, not cases.

Reads statements with the page that reveals them from folders of labelled books, with the positions to test.
"""

import json
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.evaluation.intervals import Estimate
from bot.evaluation.labelled import NOTES, book_in, is_page, rows, unreadable

WRONG_BLOCKS: Final = (0.02, 0.05, 0.1, 0.2)
BANDS: Final = ((0.0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
_RESAMPLES = 1_000
_SEED = 20_000
_MIDDLE = [2.5, 97.5]

Verdict = Callable[[str, int], Awaitable[tuple[bool, float]]]
"""Judges a text at a page: whether it leaks, and its score."""

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
SAFE = "safe"
STATEMENTS = "statements.jsonl"
_META = "meta.json"
_NEAR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledStatement:
    """A sentence as a chatbot might write it, and the first page that says it."""

    text: str
    kind: str
    revealed_page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBook:
    """A text and the statements about it; `files` are all files read.

    `notes` are its reading notes, each with its page; `notes_file` is their file, if there is one.
    """

    name: str
    text: Path
    files: tuple[Path, ...]
    title: str
    author: str | None
    statements: tuple[LabelledStatement, ...]
    notes: tuple[tuple[int, str], ...] = ()
    notes_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A statement at a position. It should be blocked until it is revealed; `share` of the book is read."""

    statement: LabelledStatement
    page: int
    share: float

    @property
    def must_block(self) -> bool:
        """Whether it would be a leak."""
        return self.page < self.statement.revealed_page

    @property
    def is_near(self) -> bool:
        """Whether it is within two pages of the reveal, since the label may be off by a page."""
        return self.statement.kind != SAFE and abs(self.page - self.statement.revealed_page) <= _NEAR


def stated_books(paths: Iterable[Path]) -> list[StatedBook]:
    """Read folders; a file stands for its folder.

    Raises:
        BookError: a folder has no text or no statement, or a line of the statements is invalid.
    """
    return [_book(path.parent if path.is_file() else path) for path in paths]


def cases_of(statement: LabelledStatement, *, pages: int) -> Iterator[Case]:
    """Yield the cases of a statement: pages 1, r/2, 3r/4, r-3, r-1 before its page r; r, r+3, halfway, the end after.

    Raises:
        BookError: its page is outside the book.
    """
    revealed = statement.revealed_page
    if revealed > pages:
        raise unreadable(f"{statement.text!r} is revealed on page {revealed} of {pages}.")
    before = {1, revealed // 2, 3 * revealed // 4, revealed - 3, revealed - 1}
    after = {revealed, revealed + 3, (revealed + pages) // 2, pages}
    tried = {page for page in before if 1 <= page < revealed} | {page for page in after if revealed <= page <= pages}
    for page in sorted(tried):
        yield Case(statement=statement, page=page, share=page / pages)


def _book(folder: Path) -> StatedBook:
    text, labels = book_in(folder, STATEMENTS)
    about, notes = folder / _META, folder / NOTES
    try:
        meta = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
    except (OSError, ValueError) as error:
        raise unreadable(f"{about} cannot be read.") from error
    statements = tuple(_statement(where, fields) for where, fields in rows(labels))
    if not statements:
        raise unreadable(f"{labels} has no statement.")
    name = folder.resolve().name
    title, author = (meta.get(key) if isinstance(meta, dict) else None for key in ("title", "author"))
    return StatedBook(
        name=name,
        text=text,
        files=tuple(path for path in (text, labels, about, notes) if path.is_file()),
        title=title if isinstance(title, str) else name,
        author=author if isinstance(author, str) else None,
        statements=statements,
        notes=tuple(_note(where, fields) for where, fields in rows(notes)) if notes.is_file() else (),
        notes_file=notes if notes.is_file() else None,
    )


def _note(where: str, fields: Mapping[str, Any]) -> tuple[int, str]:
    page, text = fields.get("page"), fields.get("note")
    if not (isinstance(text, str) and is_page(page)):
        raise unreadable(f"{where}: a note needs page and note.")
    return fields["page"], text


def _statement(where: str, fields: Mapping[str, Any]) -> LabelledStatement:
    text, kind, page = fields.get("text"), fields.get("kind"), fields.get("revealed_page")
    if not (isinstance(text, str) and isinstance(kind, str) and is_page(page)):
        raise unreadable(f"{where}: a statement needs text, kind and revealed_page.")
    return LabelledStatement(text=text, kind=kind, revealed_page=fields["revealed_page"])


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSentence:
    """A case of a book, the guard's verdict, and its CPU time in milliseconds."""

    book: str
    case: Case
    blocked: bool
    score: float
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardFigures:
    """For a group of cases: the leaks and the share caught, the others and the share wrongly blocked."""

    leaks: int
    caught: Estimate | None
    others: int
    wrongly_blocked: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardReport:
    """`away` are the cases more than two pages from the reveal; all figures but `near` use those.

    `curve`: the share caught at a threshold that wrongly blocks this share.
    """

    away: GuardFigures
    near: GuardFigures
    kinds: Mapping[str, GuardFigures]
    bands: Mapping[str, GuardFigures]
    books: Mapping[str, GuardFigures]
    auc: Estimate | None
    curve: Mapping[float, Estimate]
    milliseconds: Mapping[str, float]


async def judge_cases(book: str, cases: Iterable[Case], verdict: Verdict) -> list[JudgedSentence]:
    """Judge every case."""
    judged = []
    for case in cases:
        began = time.process_time()
        blocked, score = await verdict(case.statement.text, case.page)
        spent = (time.process_time() - began) * 1_000
        judged.append(JudgedSentence(book=book, case=case, blocked=blocked, score=score, milliseconds=spent))
    return judged


def guard_report(judged: Sequence[JudgedSentence]) -> GuardReport:
    """Summarise; there is at least one case."""
    away = [one for one in judged if not one.case.is_near]
    times = [one.milliseconds for one in judged]
    auc, curve = _curve(away)
    return GuardReport(
        away=_figures(away),
        near=_figures([one for one in judged if one.case.is_near]),
        kinds=_by(away, lambda one: one.case.statement.kind),
        bands=_by(sorted(away, key=lambda one: one.case.share), _band),
        books=_by(away, lambda one: one.book),
        auc=auc,
        curve=curve,
        milliseconds={"median": float(np.median(times)), "p95": float(np.percentile(times, 95))},
    )


def _band(one: JudgedSentence) -> str:
    low, high = next(band for band in BANDS if one.case.share <= band[1])
    return f"{low:.0%}-{high:.0%}"


def _by(judged: Sequence[JudgedSentence], key: Callable[[JudgedSentence], str]) -> dict[str, GuardFigures]:
    groups: dict[str, list[JudgedSentence]] = {}
    for one in judged:
        groups.setdefault(key(one), []).append(one)
    return {name: _figures(group) for name, group in groups.items()}


def _figures(judged: Sequence[JudgedSentence]) -> GuardFigures:
    leaks = [one for one in judged if one.case.must_block]
    others = [one for one in judged if not one.case.must_block]
    return GuardFigures(leaks=len(leaks), caught=_blocked(leaks), others=len(others), wrongly_blocked=_blocked(others))


def _blocked(judged: Sequence[JudgedSentence]) -> Estimate | None:
    if not judged:
        return None
    numbers, count = _statements(judged)
    hits = np.bincount(numbers, weights=[one.blocked for one in judged], minlength=count)
    cases = np.bincount(numbers, minlength=count)
    drawn = np.random.default_rng(_SEED).integers(0, count, size=(_RESAMPLES, count))
    low, high = np.percentile(hits[drawn].sum(axis=1) / cases[drawn].sum(axis=1), _MIDDLE)
    return Estimate(value=float(hits.sum() / cases.sum()), low=float(low), high=float(high))


def _curve(judged: Sequence[JudgedSentence]) -> tuple[Estimate | None, dict[float, Estimate]]:
    scores = np.array([one.score for one in judged])
    leaks = np.array([one.case.must_block for one in judged], dtype=bool)
    if not leaks.any() or leaks.all():
        return None, {}
    samples = [_points(scores[rows], leaks[rows]) for rows in _resampled(judged) if 0 < leaks[rows].mean() < 1]
    lows, highs = np.percentile(samples, _MIDDLE, axis=0)
    auc, *caught = (
        Estimate(value=float(value), low=float(low), high=float(high))
        for value, low, high in zip(_points(scores, leaks), lows, highs, strict=True)
    )
    return auc, dict(zip(WRONG_BLOCKS, caught, strict=True))


def _resampled(judged: Sequence[JudgedSentence]) -> Iterator[NDArray[np.intp]]:
    """Yield the cases of resampled statements; the cases of one statement stay together."""
    numbers, count = _statements(judged)
    rows_of = [np.flatnonzero(numbers == number) for number in range(count)]
    drawn = np.random.default_rng(_SEED)
    for _ in range(_RESAMPLES):
        yield np.concatenate([rows_of[number] for number in drawn.integers(0, count, size=count)])


def _points(scores: Floats, leaks: Bools) -> list[float]:
    """Return the area under the curve (ties count half), then the share caught at each share of wrong blocks."""
    of_leaks, of_others = np.sort(scores[leaks]), np.sort(scores[~leaks])
    below, up_to = (np.searchsorted(of_others, of_leaks, side=side) for side in ("left", "right"))
    area = float((below + up_to).mean() / 2 / len(of_others))
    lines = [np.quantile(of_others, 1 - share, method="higher") for share in WRONG_BLOCKS]
    return [area, *(float((of_leaks > line).mean()) for line in lines)]


def _statements(judged: Sequence[JudgedSentence]) -> tuple[NDArray[np.intp], int]:
    """Return the index of each case's statement, and the number of statements."""
    numbers: dict[tuple[str, str], int] = {}
    rows = [numbers.setdefault((one.book, one.case.statement.text), len(numbers)) for one in judged]
    return np.array(rows, dtype=np.intp), len(numbers)
