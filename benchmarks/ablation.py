"""What each step of finding the right page gives: added one by one, and left out one by one.

    python -m benchmarks.ablation [FOLDER ...]

Folders are labelled books; without any, the sample novel and the practice books beside the repository, where present.
Every question is asked at its own page, 10, 30 and 60 pages later and at the end of its book; figures are means of the
five. Differences are paired with SQLite's full-text search over whole pages, hit@5, with 95 % intervals.
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from adapters.readers.choose import reader_for
from adapters.retrieval.book_words import BookWords, index_words
from adapters.retrieval.fts5_yardstick import Fts5Yardstick
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from adapters.retrieval.page_ranking import Weights, saturated
from benchmarks.labelled import folders, throwaway_house
from bot.evaluation.labels import LabelledQuestion, labelled_books
from bot.evaluation.retrieval import DEPTH, Report, Score, pages_of, report, score
from bot.providers import word_vectors
from bot.wiring import Application
from core.app.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.passage import SearchResult, readable
from core.text.words import content_stems

_NOTHING: dict[str, Any] = {
    "beside": 0.0,
    "two_off": 0.0,
    "likeness": 0.0,
    "gist": 0.0,
    "recent": 0.0,
    "just_now": 0.0,
    "introduced": 0.0,
    "nearest": 0.0,
}
_STEPS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("the pages beside", ("beside", "two_off")),
    ("words that are alike", ("likeness",)),
    ("the gist of windows", ("gist",)),
    ("what was read last", ("recent", "just_now")),
    ("where somebody comes in", ("introduced",)),
    ("the nearest chunks", ("nearest",)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about an imported book, with what the yardstick needs."""

    book: Book
    question: LabelledQuestion
    yardstick: Fts5Yardstick


def _variants() -> Mapping[str, Weights]:
    whole = Weights()
    found = {"pages, one chunk each": replace(whole, **_NOTHING)}
    so_far = dict(_NOTHING)
    for name, fields in _STEPS:
        so_far |= {field: getattr(whole, field) for field in fields}
        found[f"+ {name}"] = replace(whole, **so_far)
    for name, fields in _STEPS:
        found[f"all without {name}"] = replace(whole, **{field: _NOTHING[field] for field in fields})
    return found


async def _import(house: Application, chosen: Sequence[Path]) -> list[Asked]:
    asked = []
    for labelled in labelled_books(chosen):
        book = (await house.library.add(labelled.text, scope="local", title=labelled.name)).book
        yardstick = Fts5Yardstick(reader_for(labelled.text).read(labelled.text).pages)
        asked += [Asked(book=book, question=question, yardstick=yardstick) for question in labelled.questions]
    return asked


class _Before:
    """Search as it was: BM25 over chunks, fused with the nearest chunks by reciprocal rank."""

    def __init__(self, house: Application) -> None:
        self._search = house.search
        self._words: dict[str, BookWords] = {}

    async def execute(self, book_id: str, query: str, *, position: int, top_k: int) -> list[SearchResult]:
        books, dense = self._search._books, self._search._dense  # noqa: SLF001 (the same parts, put together otherwise)
        book = await books.get(book_id)
        span = readable(book, position)
        if book_id not in self._words:
            self._words[book_id] = index_words(await books.chunks(book_id), None)
        by_words = _by_words(self._words[book_id], query, last_page=position)[:50]
        nearest = await dense.nearest(book, span, query, limit=50)
        return await self._search.through_the_gate(span, _fused([(1.0, by_words), (0.3, nearest)])[:top_k])


def _by_words(book: BookWords, query: str, *, last_page: int) -> list[int]:
    """Return the readable chunks that hold a word of the query, best first by BM25 over chunks."""
    chunks, stems = book.readable_chunks(last_page), sorted(content_stems(query))
    if not chunks or not stems:
        return []
    lengths = np.diff(book.chunk_starts[: chunks + 1]).astype(np.float64)
    counts = np.stack([book.counts(stem, chunks=chunks) for stem in stems], axis=1)
    found = np.count_nonzero(counts, axis=0)
    scores = saturated(counts, lengths) @ np.log1p((chunks - found + 0.5) / (found + 0.5))
    return [int(book.chunk_ids[row]) for row in np.argsort(-scores, kind="stable") if scores[row] > 0]


def _fused(rankings: Sequence[tuple[float, Sequence[int]]]) -> list[tuple[int, float]]:
    """Fuse weighted rankings by reciprocal rank (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    scores: defaultdict[int, float] = defaultdict(float)
    for weight, ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += weight / (60 + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


async def _report(asked: Sequence[Asked], search: "SearchBooksUseCase | _Before") -> Report:
    scores: list[Score] = []
    for one in asked:

        async def ours(text: str, page: int, one: Asked = one) -> list[tuple[int, int]]:
            return pages_of(await search.execute(one.book.book_id, text, position=page, top_k=DEPTH))

        async def theirs(text: str, page: int, one: Asked = one) -> list[tuple[int, int]]:
            return [(found, found) for found in one.yardstick.search(text, last_page=page, limit=DEPTH)]

        scores += await score([one.question], pages=one.book.pages, ours=ours, yardstick=theirs)
    return report(scores)


def _line(name: str, found: Report) -> str:
    figures = [f"{found.mean.ours[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")]
    gain = found.mean.difference["hit@5"]
    at_each = "/".join(f"{figures.ours['hit@5'].value:.2f}" for figures in found.at.values())
    return f"{name:36}{' '.join(figures)}  {gain.value:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]  {at_each}"


async def _measure(chosen: Sequence[Path]) -> None:
    async with throwaway_house() as house:
        asked = await _import(house, chosen)
        books, dense = house.search._books, house.search._dense  # noqa: SLF001 (the same parts, other weights)
        models = [rung.embeddings for rung in dense._rungs]  # noqa: SLF001
        print(f"{len(asked)} questions about {len({one.book.book_id for one in asked})} books")
        print(f"{'':36} hit@1  hit@5 hit@20 mrr@10  over full-text search  hit@5 at each position")
        index = Bm25LexicalIndex(books, workers=house.workers, word_vectors=word_vectors(models))
        found = await _report(asked, _Before(house))
        stick = [f"{found.mean.yardstick[figure].value:6.3f}" for figure in ("hit@1", "hit@5", "hit@20", "mrr@10")]
        print(f"{'full-text search over pages':36}{' '.join(stick)}")
        print(_line("chunks by words, fused by rank", found), flush=True)
        for name, weights in _variants().items():
            index._weights = weights  # noqa: SLF001 (the index of a book hangs on no weight)
            search = SearchBooksUseCase(books=books, lexical=index, dense=dense)
            print(_line(name, await _report(asked, search)), flush=True)


def main() -> None:
    asyncio.run(_measure(folders(sys.argv[1:])))


if __name__ == "__main__":
    main()
