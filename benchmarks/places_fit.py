"""Fit where on a page a question is answered on labelled books, and write core/answering/extracts/fitted_chances.json.

    python -m benchmarks.places_fit [FOLDER ...] [--write]

Folders are labelled books, or hold some; without any, the sample novel and the practice books beside the repository.
Printed is how often the labelled words stand whole in the passage, and in one of two, in books whose own questions
fitted nothing; first at the labelled page, then 10 and 30 pages later and at the end. Without --write nothing is
changed. Nothing of the books goes into the file but numbers.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.labelled import Question, evidence_of, folded, folders, import_labelled, throwaway_house
from bot.evaluation.intervals import paired_difference, share
from bot.wiring import Application
from core.answering.extracts.answer_chances import LOOKED_AT, Floats, QuestionCover, features, runs_around
from core.answering.extracts.likeliest import choose, taken_apart
from core.answering.extracts.passages import Passage, best_passages
from core.answering.extracts.read_text import ReadSentence
from core.answering.extracts.unread_words import without_unread_names

WEIGHTS_FILE = Path(__file__).resolve().parent.parent / "core" / "finders" / "fitted_chances.json"
_LATER = (0, 10, 30)
_WEIGHT_LATER = 0.34
_PENALTY = 8.0
_STEPS = 60
_ENOUGH = 0.01
_TINY = 1e-6
_FOUND = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question at a position: the sentences looked at, a row of features each, and which of them hold the answer.

    `former` are the passages that the question's words alone choose.
    """

    folder: str
    is_later: bool
    runs: Sequence[Sequence[ReadSentence]]
    values: Floats
    holds: NDArray[np.bool_]
    evidence: Sequence[str]
    former: Sequence[Passage]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    names, asked = asyncio.run(_tabulate(folders(given.folders)))
    _show(asked)
    if given.write:
        weights = fit(asked)
        written = {
            "about": f"Fitted by benchmarks.places_fit on {len(asked)} questions at their positions; numbers only.",
            "weights": {name: round(float(one), 4) for name, one in zip(names, weights, strict=True)},
        }
        WEIGHTS_FILE.write_text(json.dumps(written, indent=0) + "\n", encoding="utf-8")
        print(WEIGHTS_FILE)


def fit(asked: Sequence[Asked]) -> Floats:
    """Return weights under which the chances lie where the answers stand: a softmax over the sentences looked at.

    What is made largest is the sum of the logarithms of the chance of all sentences that hold an answer, less an L2
    penalty on standardised features; by Newton's method with halved steps.
    """
    known = [one for one in asked if one.holds.any()]
    together = np.concatenate([one.values for one in known])
    spread = together.std(axis=0) + _TINY
    values = [(one.values - together.mean(axis=0)) / spread for one in known]
    counts = [_WEIGHT_LATER if one.is_later else 1.0 for one in known]

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


async def _tabulate(chosen: Sequence[Path]) -> tuple[tuple[str, ...], list[Asked]]:
    evidence = evidence_of(chosen)
    names: tuple[str, ...] = ()
    asked = []
    async with throwaway_house() as house:
        for question in await import_labelled(house, chosen):
            if question.kind != "answerable":
                continue
            last = (await house.library.get(question.book_id)).pages
            for page in dict.fromkeys([*(min(question.at_page + later, last) for later in _LATER), last]):
                looked = await _look(house, question, page, evidence[question.folder, question.text])
                if looked is not None:
                    names, one = looked
                    asked.append(one)
    return names, asked


async def _look(
    house: Application, question: Question, page: int, evidence: Sequence[str]
) -> tuple[tuple[str, ...], Asked] | None:
    book = await house.library.get(question.book_id)
    read = house.quoting.read_book(book, page)
    text = await read.text()
    asked = without_unread_names(text, question.text)
    found = await house.search.execute(book.book_id, asked, position=page, top_k=_FOUND)
    shares = {passage.start_page: passage.score for passage in reversed(found)}
    pages = sorted(shares, key=lambda each: -shares[each])
    spans = runs_around(pages[:LOOKED_AT], page)
    traces = await read.traces(asked, spans)
    if traces is None:
        return None
    runs = [taken_apart(text.sentences(*span)) for span in spans]
    names, values = features(asked, runs, QuestionCover(runs, traces))
    return names, Asked(
        folder=question.folder,
        is_later=page != question.at_page,
        runs=runs,
        values=values,
        holds=np.concatenate([_holding(run, evidence) for run in runs]),
        evidence=evidence,
        former=best_passages(question.text, text, [(each, shares[each]) for each in pages], most=2),
    )


def _holding(run: Sequence[ReadSentence], evidence: Sequence[str]) -> NDArray[np.bool_]:
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
    """Print what weights fitted on the other books give in each."""
    rows: dict[str, list[tuple[bool, bool, bool, bool, bool]]] = {}
    for book in dict.fromkeys(one.folder for one in asked):
        weights = fit([one for one in asked if one.folder != book])
        rows[book] = [(one.is_later, *_hits(one, weights)) for one in asked if one.folder == book]
        at_page = [row for row in rows[book] if not row[0]]
        print(f"{book:20} {len(at_page):4}", *(f"{np.mean([row[k] for row in at_page]):.2f}" for k in (1, 2, 3, 4)))
    for name, is_later in (("at the labelled page", False), ("later", True)):
        for which, books in (("all books", list(rows)), ("without the sample", [b for b in rows if b != "sample"])):
            chosen = [row for book in books for row in rows[book] if row[0] == is_later]
            print(f"\n{name}, {which}: {len(chosen)} questions, weights of the other books")
            for what, ours, theirs in (("first", 1, 3), ("one of two", 2, 4)):
                mine, former = [row[ours] for row in chosen], [row[theirs] for row in chosen]
                gain = paired_difference([float(one) for one in mine], [float(one) for one in former])
                print(
                    f"  {what}: {share(mine).value:.3f}, by words alone {share(former).value:.3f}, "
                    f"difference {gain.value:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
                )


def _hits(one: Asked, weights: Floats) -> tuple[bool, bool, bool, bool]:
    """Return whether the first passage and one of two hold the labelled words: ours, and those by words alone."""
    bounds = np.cumsum([len(run) for run in one.runs])[:-1]
    likely = np.split(_softmax(one.values @ weights), bounds)
    ours = [one.runs[each.run][each.begin : each.end] for each in choose(one.runs, likely, most=2)]
    hits = [_holds_whole(sentences, one.evidence) for sentences in ours]
    former = [_holds_whole(passage.sentences, one.evidence) for passage in one.former]
    return any(hits[:1]), any(hits), any(former[:1]), any(former)


def _holds_whole(sentences: Sequence[ReadSentence], evidence: Sequence[str]) -> bool:
    text = " ".join(folded(each.text) for each in sentences)
    return any(words in text for words in evidence)


if __name__ == "__main__":
    main()
