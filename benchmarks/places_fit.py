"""Fit where on a page a question is answered, and write core/answering/extracts/fitted_places.json.

    python -m benchmarks.places_fit [FOLDER ...] [--fairytaleqa FOLDER] [--write]

Folders are labelled books, or hold some; without any, the sample novel and the practice books beside the repository.
FairytaleQA is read as by `benchmarks.public`: of an explicit question, the sentences of the labelled sections that have
most of an answer's words hold it. Printed is how often the labelled words are shown in three places, and in two, in
books whose own questions fitted nothing (a fifth of the books at a time): of labelled books whole, first at the
labelled page, then 10 and 30 pages later and at the end; of FairytaleQA every content word. Without --write nothing is
changed. Nothing of the books goes into the file but numbers.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.labelled import Question, evidence_of, folded, folders, import_labelled, throwaway_house
from benchmarks.public import fairytale_questions
from bot.evaluation.intervals import share, shown
from bot.wiring import Application
from core.answering.extracts.place_scores import LOOKED_AT, Floats, QuestionCover, features, runs_around
from core.answering.extracts.places import SHOWN, chosen, taken_apart
from core.answering.extracts.read_text import ReadSentence
from core.answering.extracts.unread_words import without_unread_names
from core.domain.book import Book
from core.language.words import content_stems

WEIGHTS_FILE = Path(__file__).resolve().parent.parent / "core" / "answering" / "extracts" / "fitted_places.json"
_LATER = (0, 10, 30)
_WEIGHT_LATER = 0.34
_WEIGHT_FAIRYTALE = 0.5
_FOLDS = 5
_LEAST_OF_ANSWER = 0.5
_PENALTY = 8.0
_STEPS = 60
_ENOUGH = 0.01
_TINY = 1e-6
_FOUND = 12


Holds = Callable[[Sequence[ReadSentence]], NDArray[np.bool_]]
"""Tells which sentences of a run hold an answer."""
IsShown = Callable[[Sequence[str]], bool]
"""Whether the texts of some places show an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a question looked at: the sentences, and a row of features for each."""

    names: tuple[str, ...]
    runs: Sequence[Sequence[ReadSentence]]
    values: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question at a position: what it looked at (None if nothing), how much it counts, and what answers it."""

    book: str
    where: str
    counts: float
    looked: Looked | None
    holds: NDArray[np.bool_]
    is_shown: IsShown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--fairytaleqa", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    asked = asyncio.run(_tabulate(folders(given.folders), given.fairytaleqa))
    _show(asked)
    if given.write:
        names = next(one.looked.names for one in asked if one.looked is not None)
        written = {
            "about": f"Fitted by benchmarks.places_fit on {len(asked)} questions at their positions; numbers only.",
            "weights": {name: round(float(one), 4) for name, one in zip(names, fit(asked), strict=True)},
        }
        WEIGHTS_FILE.write_text(json.dumps(written, indent=0) + "\n", encoding="utf-8")
        print(WEIGHTS_FILE)


def fit(asked: Sequence[Asked]) -> Floats:
    """Return weights under which the chances lie where the answers stand: a softmax over the sentences looked at.

    What is made largest is the sum of the logarithms of the chance of all sentences that hold an answer, less an L2
    penalty on standardised features; by Newton's method with halved steps.
    """
    known = [one for one in asked if one.holds.any()]
    rows_of_each = [one.looked.values for one in known if one.looked is not None]
    together = np.concatenate(rows_of_each)
    spread = together.std(axis=0) + _TINY
    values = [(rows - together.mean(axis=0)) / spread for rows in rows_of_each]
    counts = [one.counts for one in known]

    def worth(weights: Floats) -> float:
        total = -_PENALTY / 2 * float(weights @ weights)
        for rows, one, count in zip(values, known, counts, strict=True):
            scores = rows @ weights
            total += count * float(np.logaddexp.reduce(scores[one.holds]) - np.logaddexp.reduce(scores))
        return total

    weights = np.zeros(together.shape[1])
    best = worth(weights)
    for _ in range(_STEPS):
        slope, bend = -_PENALTY * weights, _PENALTY * np.eye(len(weights))
        for rows, one, count in zip(values, known, counts, strict=True):
            chances = _softmax(rows @ weights)
            right = np.where(one.holds, chances, 0.0)
            mean = chances @ rows
            slope += count * (right @ rows / right.sum() - mean)
            bend += count * ((rows * chances[:, None]).T @ rows - np.outer(mean, mean))
        step = np.linalg.solve(bend, slope)
        while (found := worth(weights + step)) < best and np.abs(step).max() > _TINY:
            step = step / 2
        weights = weights + step
        if found - best < _ENOUGH:
            break
        best = found
    return np.asarray(weights / spread)


def _softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


async def _tabulate(chosen_books: Sequence[Path], fairytaleqa: Path | None) -> list[Asked]:
    evidence = evidence_of(chosen_books)
    asked = []
    async with throwaway_house() as house:
        for question in await import_labelled(house, chosen_books):
            if question.kind == "answerable":
                words = evidence[question.folder, question.text]
                asked += [one async for one in _of_labelled(house, question, words)]
    if fairytaleqa is not None:
        async with throwaway_house() as house:
            async for book, told in fairytale_questions(house, fairytaleqa):
                if told.answers:
                    looked = await _look(house, book, told.text, told.page)
                    holding = partial(_answering, answers=told.answers, pages=told.pages)
                    asked.append(_asked(book.title, "FairytaleQA", _WEIGHT_FAIRYTALE, looked, holding, told.shows))
    return asked


async def _of_labelled(house: Application, question: Question, evidence: Sequence[str]) -> AsyncIterator[Asked]:
    book = await house.library.get(question.book_id)
    later = [min(question.at_page + each, book.pages) for each in _LATER]
    for page in dict.fromkeys([*later, book.pages]):
        is_later = page != question.at_page
        looked = await _look(house, book, question.text, page)
        yield _asked(
            question.folder,
            "later" if is_later else "at the labelled page",
            _WEIGHT_LATER if is_later else 1.0,
            looked,
            partial(_holding, evidence=evidence),
            partial(_hold_whole, evidence=evidence),
        )


def _asked(book: str, where: str, counts: float, looked: Looked | None, holds: Holds, is_shown: IsShown) -> Asked:
    runs = looked.runs if looked is not None else []
    held = np.concatenate([np.zeros(0, dtype=np.bool_), *map(holds, runs)])
    return Asked(book=book, where=where, counts=counts, looked=looked, holds=held, is_shown=is_shown)


async def _look(house: Application, book: Book, question: str, page: int) -> Looked | None:
    read = house.quoting.read_book(book, page)
    text = await read.text()
    asked = without_unread_names(text, question)
    found = await house.search.execute(book.book_id, asked, position=page, top_k=_FOUND)
    pages = list(dict.fromkeys(passage.start_page for passage in found))
    spans = runs_around(pages[:LOOKED_AT], page)
    traces = await read.traces(asked, spans) if spans else None
    if traces is None:
        return None
    runs = [taken_apart(text.sentences(*span)) for span in spans]
    names, values = features(runs, QuestionCover(runs, traces))
    return Looked(names=names, runs=runs, values=values)


def _answering(run: Sequence[ReadSentence], *, answers: Sequence[str], pages: frozenset[int]) -> NDArray[np.bool_]:
    """Return which sentences of the labelled pages hold most of an answer's words."""
    holds = np.zeros(len(run), dtype=np.bool_)
    of_pages = np.array([not pages.isdisjoint((each.page, each.last_page)) for each in run], dtype=np.bool_)
    for stems in map(content_stems, answers):
        shares = of_pages * np.array([len(stems.intersection(each.stems)) / len(stems) for each in run])
        holds |= shares >= shares.max(initial=_LEAST_OF_ANSWER)
    return holds


def _holding(run: Sequence[ReadSentence], *, evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Return which sentences of a run hold any of the labelled words."""
    texts = [folded(each.text) for each in run]
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
    together = " ".join(texts)
    holds = np.zeros(len(run), dtype=np.bool_)
    for words in evidence:
        at = together.find(words)
        while at >= 0:
            first, last = np.searchsorted(starts, [at, at + len(words) - 1], side="right") - 1
            holds[first : last + 1] = True
            at = together.find(words, at + 1)
    return holds


def _show(asked: Sequence[Asked]) -> None:
    """Print what weights fitted on the other books show in each."""
    books = sorted({one.book for one in asked})
    rows: dict[str, list[tuple[bool, bool]]] = {}
    for fold in range(_FOLDS):
        own = set(books[fold::_FOLDS])
        weights = fit([one for one in asked if one.book not in own])
        for one in asked:
            if one.book in own:
                rows.setdefault(one.where, []).append(_hits(one, weights))
    for where, hits in rows.items():
        three, two = zip(*hits, strict=True)
        print(f"{where}, {len(hits)} questions: in {SHOWN} places {shown(share(three))}, in two {shown(share(two))}")


def _hits(one: Asked, weights: Floats) -> tuple[bool, bool]:
    """Return whether three places show the answer, and whether two do."""
    if one.looked is None:
        return False, False
    bounds = np.cumsum([len(run) for run in one.looked.runs])[:-1]
    likely = [each.tolist() for each in np.split(_softmax(one.looked.values @ weights), bounds)]
    places = chosen(one.looked.runs, likely, most=SHOWN)
    texts = [" ".join(each.text for each in place.sentences) for place in places]
    return one.is_shown(texts), one.is_shown(texts[:2])


def _hold_whole(texts: Sequence[str], *, evidence: Sequence[str]) -> bool:
    return any(words in folded(text) for words in evidence for text in texts)


if __name__ == "__main__":
    main()
