"""What each kind of evidence gives the ranking of pages, and weights fitted on all books but the one that is asked.

    python -m benchmarks.ablation [FOLDER ...]

Folders are labelled books; without any, the sample novel and the practice books beside the repository, where present.
Every question is asked at its own page, 10, 30 and 60 pages later and at the end of its book; figures are means of the
five. Differences are paired with SQLite's full-text search over whole pages, hit@5, with 95 % intervals. Books
that have reading notes come a second time, with them. The embedding is that of the settings (`THUSFAR_EMBEDDINGS`).
"""

import asyncio
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np

from adapters.readers.choose import reader_for
from adapters.retrieval.fts5_yardstick import Fts5Yardstick
from adapters.retrieval.page_ranking import Evidence, Weights, weighed
from benchmarks.labelled import folders, throwaway_house
from bot.commands.evaluate_retrieval import embedding_name
from bot.evaluation.retrieval import (
    DEPTH,
    POSITIONS,
    LabelledBook,
    Rank,
    RetrievalReport,
    Score,
    labelled_books,
    pages_asked,
    report,
)
from bot.wiring import Application
from core.domain.passage import readable
from core.language.packed_words import Ints

_NEAREST = 200
_OF_MODELS = ("meaning", "note_meaning")
_OF_TEXT: Mapping[str, Sequence[float]] = {
    "run": (0.5, 1.0, 1.5),
    "gist": (0.4, 0.7, 1.0),
    "theme": (0.7, 1.0, 1.3),
    "meaning": (0.5, 0.8, 1.1),
    "recent": (0.0, 0.15, 0.3),
}
_OF_NOTES: Mapping[str, Sequence[float]] = {
    "notes": (0.5, 1.0, 1.5),
    "best_note": (0.5, 1.0, 1.5),
    "note_theme": (2.0, 3.0, 4.0),
    "note_meaning": (2.0, 3.0, 4.0),
}
"""The kinds of evidence in the order in which they are added, with the weights that are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What speaks for each page when a question is asked at one position, and which pages (rows from 0) answer it."""

    pages: Evidence
    pages_back: Ints
    answers: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a book: its evidence at each of the five positions, and the yardstick's ranks."""

    book: str
    looked: Sequence[Looked | None]
    yardstick: Sequence[Rank]

    def score(self, weights: Weights) -> Score:
        ranks = [_rank(one, weights) if one is not None else None for one in self.looked]
        return Score(ours=ranks, yardstick=self.yardstick)


async def _ask(house: Application, labelled: LabelledBook, *, noted: bool) -> list[Asked]:
    book = (await house.library.add(labelled.text, scope="local", title=labelled.name)).book
    await house.noted().notes.remove(book)
    if noted and labelled.notes is not None:
        await house.noted().notes.take(labelled.notes.read_text(encoding="utf-8"), book=book)
        await house.library.complete_notes(book.book_id)
    book = await house.library.get(book.book_id)
    lexical, dense = house.search._lexical, house.search._dense  # noqa: SLF001 (what they find, before it is weighed)
    yardstick = Fts5Yardstick(reader_for(labelled.text).read(labelled.text).pages)
    found = []
    for question in labelled.questions:
        looked, ranks = [], []
        for page in pages_asked(question.at_page, book.pages):
            span = readable(book, page)
            nearest = await dense.nearest(book, span, question.text, limit=_NEAREST)
            evidence = await lexical.look(span, question.text, nearest=nearest)  # type: ignore[attr-defined]
            numbers = evidence.read.book.page_numbers[: evidence.read.pages] if evidence is not None else ()
            answers = [row for row, number in enumerate(numbers) if int(number) in question.answer_pages]
            looked.append(
                Looked(pages=evidence.pages, pages_back=evidence.pages_back, answers=answers) if answers else None
            )
            by_fts5 = yardstick.search(question.text, last_page=page, limit=DEPTH)
            ranks.append(next((at for at, one in enumerate(by_fts5, 1) if one in question.answer_pages), None))
        found.append(Asked(book=labelled.name, looked=looked, yardstick=ranks))
    return found


def _rank(looked: Looked, weights: Weights) -> Rank:
    scores = weighed(looked.pages, weights, pages_back=looked.pages_back)
    ranks = [1 + int(np.sum(scores > scores[row]) + np.sum(scores[:row] == scores[row])) for row in looked.answers]
    return min(ranks) if min(ranks) <= DEPTH else None


def _variants(shipped: Weights, tried: Mapping[str, Sequence[float]], *, first: str) -> Iterator[tuple[str, Weights]]:
    nothing: Mapping[str, float] = dict.fromkeys(tried, 0.0)
    yield first, replace(shipped, **nothing)
    for count, name in enumerate(tried, 1):
        held = {field: getattr(shipped, field) for field in [*tried][:count]}
        yield f"+ {name}", replace(shipped, **{**nothing, **held})
    for name in tried:
        yield f"all without {name}", replace(shipped, **{name: 0.0})


def _fitted(asked: Sequence[Asked], tried: Mapping[str, Sequence[float]]) -> Weights:
    """Return the weights that find the answers of these questions best, by MRR@10 over the five positions."""
    grid = [Weights(**dict(zip(tried, values, strict=True))) for values in itertools.product(*tried.values())]
    return max(grid, key=lambda weights: _mrr([one.score(weights) for one in asked]))


def _mrr(scores: Sequence[Score]) -> float:
    return fmean(1 / rank if rank and rank <= 10 else 0.0 for score in scores for rank in score.ours)


def _line(name: str, found: RetrievalReport) -> str:
    figures = [f"{found.mean.ours[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")]
    gain = found.mean.difference["hit@5"]
    at_each = "/".join(f"{found.at[position].ours['hit@5'].value:.2f}" for position in POSITIONS)
    return f"{name:36}{' '.join(figures)}  {gain.value:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]  {at_each}"


def _leaving_one_out(asked: Sequence[Asked], tried: Mapping[str, Sequence[float]]) -> list[Score]:
    scores = []
    for book in dict.fromkeys(one.book for one in asked):
        weights = _fitted([one for one in asked if one.book != book], tried)
        print(f"  without {book}: " + ", ".join(f"{name} {getattr(weights, name)}" for name in tried), flush=True)
        scores += [one.score(weights) for one in asked if one.book == book]
    return scores


def _show(asked: Sequence[Asked], tried: Mapping[str, Sequence[float]], *, first: str) -> None:
    books = list(dict.fromkeys(one.book for one in asked))
    print(f"{'':36} hit@1  hit@5 hit@20 mrr@10  over full-text search  hit@5 at each position")
    shipped = Weights()
    stick = report([one.score(shipped) for one in asked]).mean.yardstick
    print(f"{'full-text search over pages':36}", end="")
    print(" ".join(f"{stick[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")))
    for name, weights in _variants(shipped, tried, first=first):
        print(_line(name, report([one.score(weights) for one in asked])), flush=True)
    if len(books) > 1:
        print(_line("fitted on the other books", report(_leaving_one_out(asked, tried))))
    for book in books:
        print(_line(f"shipped weights: {book}", report([one.score(shipped) for one in asked if one.book == book])))


async def _measure(chosen: Sequence[Path]) -> None:
    labelled = labelled_books(chosen)
    async with throwaway_house() as house:
        plain = [one for book in labelled for one in await _ask(house, book, noted=False)]
        noted = [one for book in labelled if book.notes is not None for one in await _ask(house, book, noted=True)]
        embedding = embedding_name(house)
    has_model = embedding not in {"none", "WordLlama"}
    left_out = () if has_model else _OF_MODELS
    print(f"{len(plain)} questions about {len(labelled)} books; embedding: {embedding}")
    _show(
        plain, {name: tried for name, tried in _OF_TEXT.items() if name not in left_out}, first="the words of the page"
    )
    if noted:
        print(f"\nwith reading notes: {len(noted)} questions about {len({one.book for one in noted})} books")
        _show(noted, {name: tried for name, tried in _OF_NOTES.items() if name not in left_out}, first="no notes")


def main() -> None:
    asyncio.run(_measure(folders(sys.argv[1:])))


if __name__ == "__main__":
    main()
