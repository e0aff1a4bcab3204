"""How well search finds the page that answers, compared with a baseline on the same questions and positions.

A question is asked at its labelled page and again further on, since clubs ask about everything they have read.

Labelled books on disk: a folder with the text and its questions (in the format of fixtures/sample).
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from bot.evaluation.intervals import Estimate, mean, paired_difference, share
from bot.evaluation.labelled import NOTES, book_in, is_page, rows, unreadable
from core.domain.passage import SearchResult

DEPTH: Final = 20
POSITIONS: Final = ("page", "+10", "+30", "+60", "end")
"""Where each question is asked: at its own page, some pages later, and at the end of the book."""

_PAGES_LATER: Final = (0, 10, 30, 60)
_CUTS: Final = (1, 5, DEPTH)
_MRR_DEPTH: Final = 10

Find = Callable[[str, int], Awaitable[Sequence[tuple[int, int]]]]
"""Returns the first and last page of up to `DEPTH` results for a question at a page, best first."""

Rank = int | None
"""The rank, from 1, of the first result that covers a page of the answer; None beyond the depth."""
_QUESTIONS = "questions.jsonl"
_ANSWERABLE = "answerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question that can be answered at its page, and the pages that answer it."""

    text: str
    at_page: int
    answer_pages: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBook:
    """A text and its answerable questions; the file of its reading notes, if there is one."""

    name: str
    text: Path
    questions: tuple[LabelledQuestion, ...]
    notes: Path | None = None


def labelled_books(paths: Iterable[Path]) -> list[LabelledBook]:
    """Read folders; a file stands for its folder.

    Raises:
        BookError: a folder has no text or no question, or a line of the questions is invalid.
    """
    return [_book(path.parent if path.is_file() else path) for path in paths]


def _book(folder: Path) -> LabelledBook:
    text, labels = book_in(folder, _QUESTIONS)
    read = [_question(where, fields) for where, fields in rows(labels)]
    questions = tuple(question for question in read if question is not None)
    if not questions:
        raise unreadable(f"{labels} has no answerable question.")
    notes = folder / NOTES
    return LabelledBook(
        name=folder.resolve().name, text=text, questions=questions, notes=notes if notes.is_file() else None
    )


def _question(where: str, fields: Mapping[str, Any]) -> LabelledQuestion | None:
    text, at_page, answer_pages = fields.get("question"), fields.get("at_page"), fields.get("answer_pages")
    are_pages = isinstance(answer_pages, list) and bool(answer_pages) and all(map(is_page, answer_pages))
    if not (isinstance(text, str) and is_page(at_page) and are_pages and "kind" in fields):
        raise unreadable(f"{where}: a question needs question, at_page, kind and answer_pages.")
    if fields["kind"] != _ANSWERABLE:
        return None
    return LabelledQuestion(text=text, at_page=fields["at_page"], answer_pages=frozenset(fields["answer_pages"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One question's ranks at each of `POSITIONS`, on both sides."""

    ours: Sequence[Rank]
    yardstick: Sequence[Rank]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalFigures:
    """Figures by name (`hit@1`, `mrr@10`, ...): ours, the baseline's, and the paired difference."""

    ours: Mapping[str, Estimate]
    yardstick: Mapping[str, Estimate]
    difference: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """The figures at each of `POSITIONS`, and the mean of the five."""

    questions: int
    at: Mapping[str, RetrievalFigures]
    mean: RetrievalFigures


async def score(questions: Sequence[LabelledQuestion], *, pages: int, ours: Find, yardstick: Find) -> list[Score]:
    """Ask both sides every question of a book, at every position."""
    return [
        Score(ours=await _ranks(question, pages, ours), yardstick=await _ranks(question, pages, yardstick))
        for question in questions
    ]


def pages_asked(at_page: int, pages: int) -> list[int]:
    """Return the page of each of `POSITIONS`, never beyond the last page."""
    return [*(min(at_page + later, pages) for later in _PAGES_LATER), pages]


def pages_of(results: Sequence[SearchResult]) -> list[tuple[int, int]]:
    """Return the pages that a result covers."""
    return [(result.start_page, result.end_page) for result in results]


def report(scores: Sequence[Score]) -> RetrievalReport:
    """Summarise the scores; there is at least one."""
    ours, yardstick = [one.ours for one in scores], [one.yardstick for one in scores]
    at = {
        name: _figures([[ranks[place]] for ranks in ours], [[ranks[place]] for ranks in yardstick])
        for place, name in enumerate(POSITIONS)
    }
    return RetrievalReport(questions=len(scores), at=at, mean=_figures(ours, yardstick))


async def _ranks(question: LabelledQuestion, pages: int, find: Find) -> list[Rank]:
    asked = pages_asked(question.at_page, pages)
    ranks = {page: _rank(await find(question.text, page), question.answer_pages) for page in dict.fromkeys(asked)}
    return [ranks[page] for page in asked]


def _figures(ours: Sequence[Sequence[Rank]], yardstick: Sequence[Sequence[Rank]]) -> RetrievalFigures:
    mine, theirs = _values(ours), _values(yardstick)
    return RetrievalFigures(
        ours={name: _estimate(values) for name, values in mine.items()},
        yardstick={name: _estimate(values) for name, values in theirs.items()},
        difference={name: paired_difference(values, theirs[name]) for name, values in mine.items()},
    )


def _estimate(values: Sequence[float]) -> Estimate:
    """Return a share for yes-or-no values, else a mean."""
    return share([bool(value) for value in values]) if set(values) <= {0.0, 1.0} else mean(values)


def _values(ranks: Sequence[Sequence[Rank]]) -> dict[str, list[float]]:
    """Return the figures of each question, as means over its positions."""
    hits = {
        f"hit@{cut}": [fmean(rank is not None and rank <= cut for rank in of_one) for of_one in ranks] for cut in _CUTS
    }
    reciprocal = [fmean(1 / rank if rank and rank <= _MRR_DEPTH else 0.0 for rank in of_one) for of_one in ranks]
    return {**hits, f"mrr@{_MRR_DEPTH}": reciprocal}


def _rank(found: Sequence[tuple[int, int]], wanted: frozenset[int]) -> Rank:
    covering = (
        rank
        for rank, (first, last) in enumerate(found[:DEPTH], start=1)
        if any(first <= page <= last for page in wanted)
    )
    return next(covering, None)
