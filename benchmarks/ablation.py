"""What each kind of evidence gives the ranking of pages, and weights fitted on all books but the one that is asked.

    python -m benchmarks.ablation [FOLDER ...]

Folders are labelled books; without any, the sample novel and the practice books beside the repository, where present.
Every question is asked at its own page, 10, 30 and 60 pages later and at the end of its book; figures are means of the
five. Differences are paired with SQLite's full-text search over whole pages, hit@5, with 95 % intervals. The embedding
is that of the settings (`THUSFAR_EMBEDDINGS`).
"""

import asyncio
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np

from adapters.readers.choose import reader_for
from adapters.retrieval.fts5_yardstick import Fts5Yardstick
from adapters.retrieval.page_ranking import Evidence, Weights, weighed
from benchmarks.labelled import folders, throwaway_house
from bot.commands.evaluate import embedding_name
from bot.evaluation.labels import LabelledBook, labelled_books
from bot.evaluation.retrieval import DEPTH, POSITIONS, Rank, Report, Score, pages_asked, report
from bot.wiring import Application
from core.domain.passage import readable
from core.text.packed_words import Ints

_NEAREST = 200
_STEPS = ("run", "gist", "theme", "meaning", "recent")
_NOTHING: Mapping[str, float] = dict.fromkeys(_STEPS, 0.0)
_TRIED: Mapping[str, Sequence[float]] = {
    "run": (0.5, 1.0, 1.5),
    "gist": (0.4, 0.7, 1.0),
    "theme": (0.7, 1.0, 1.3),
    "meaning": (1.0, 1.5, 2.0),
    "recent": (0.0, 0.15, 0.3),
}


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


async def _ask(house: Application, labelled: LabelledBook) -> list[Asked]:
    book = (await house.library.add(labelled.text, scope="local", title=labelled.name)).book
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


def _variants(shipped: Weights) -> Iterator[tuple[str, Weights]]:
    yield "the words of the page", replace(shipped, **_NOTHING)
    for count, name in enumerate(_STEPS, 1):
        held = {field: getattr(shipped, field) for field in _STEPS[:count]}
        yield f"+ {name}", replace(shipped, **{**_NOTHING, **held})
    for name in _STEPS:
        yield f"all without {name}", replace(shipped, **{name: 0.0})


def _fitted(asked: Sequence[Asked], *, has_meaning: bool) -> Weights:
    """Return the weights that find the answers of these questions best, by MRR@10 over the five positions."""
    tried = _TRIED if has_meaning else {**_TRIED, "meaning": (0.0,)}
    grid = [Weights(**dict(zip(tried, values, strict=True))) for values in itertools.product(*tried.values())]
    return max(grid, key=lambda weights: _mrr([one.score(weights) for one in asked]))


def _mrr(scores: Sequence[Score]) -> float:
    return fmean(1 / rank if rank and rank <= 10 else 0.0 for score in scores for rank in score.ours)


def _line(name: str, found: Report) -> str:
    figures = [f"{found.mean.ours[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")]
    gain = found.mean.difference["hit@5"]
    at_each = "/".join(f"{found.at[position].ours['hit@5'].value:.2f}" for position in POSITIONS)
    return f"{name:36}{' '.join(figures)}  {gain.value:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]  {at_each}"


def _leaving_one_out(asked: Sequence[Asked], *, has_meaning: bool, say: Callable[[str], None]) -> list[Score]:
    scores = []
    for book in dict.fromkeys(one.book for one in asked):
        weights = _fitted([one for one in asked if one.book != book], has_meaning=has_meaning)
        say(f"  without {book}: " + ", ".join(f"{name} {getattr(weights, name)}" for name in _TRIED))
        scores += [one.score(weights) for one in asked if one.book == book]
    return scores


async def _measure(chosen: Sequence[Path]) -> None:
    async with throwaway_house() as house:
        asked = [one for labelled in labelled_books(chosen) for one in await _ask(house, labelled)]
        has_meaning, embedding = house.embeddings is not None, embedding_name(house)
    books = list(dict.fromkeys(one.book for one in asked))
    print(f"{len(asked)} questions about {len(books)} books; embedding: {embedding}")
    print(f"{'':36} hit@1  hit@5 hit@20 mrr@10  over full-text search  hit@5 at each position")
    shipped = Weights()
    stick = report([one.score(shipped) for one in asked]).mean.yardstick
    print(f"{'full-text search over pages':36}", end="")
    print(" ".join(f"{stick[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")))
    for name, weights in _variants(shipped):
        print(_line(name, report([one.score(weights) for one in asked])), flush=True)
    if len(books) > 1:
        left_out = _leaving_one_out(asked, has_meaning=has_meaning, say=lambda line: print(line, flush=True))
        print(_line("fitted on the other books", report(left_out)))
    for book in books:
        print(_line(f"shipped weights: {book}", report([one.score(shipped) for one in asked if one.book == book])))


def main() -> None:
    asyncio.run(_measure(folders(sys.argv[1:])))


if __name__ == "__main__":
    main()
