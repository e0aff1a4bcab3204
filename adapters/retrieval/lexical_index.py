"""BM25 over what has been read, and only that: unread pages weigh nothing in any score.

A library's index (bm25s, FTS5) takes its word statistics from the whole book, so that unread pages would shift the
ranking of read ones; here the statistics are those of the readable prefix. See ADR 0005.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.cache import BookCache
from core.domain.passage import ReadableSpan
from core.ports.lexical_index import LexicalIndex
from core.ports.repositories import BookRepository, StoredChunk
from core.text.words import content_stems

_K1 = 1.2
_B = 0.75
_HELD_BOOKS = 64
_QUERY_STEMS = 200


@dataclass(frozen=True, slots=True)
class _Postings:
    """Where a stem stands: rows of the book in rising order, and how often in each."""

    rows: NDArray[np.int32]
    counts: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _BookIndex:
    """One book: chunks row by row in the order of the book, so that what is readable is always a prefix."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    total_lengths: NDArray[np.float64]
    lengths: NDArray[np.float32]
    postings: dict[str, _Postings]


class Bm25LexicalIndex(LexicalIndex):
    """BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) with Snowball stems, one index a book, held in memory."""

    def __init__(self, books: BookRepository, *, workers: Executor) -> None:
        self._books = books
        self._workers = workers
        self._cache = BookCache(self._build, capacity=_HELD_BOOKS)

    async def search(self, span: ReadableSpan, query: str, *, limit: int) -> list[tuple[int, float]]:
        """Return (chunk id, score above 0), best first, all within the span. Any text is a valid query."""
        wanted = list(dict.fromkeys(content_stems(query)))[:_QUERY_STEMS]
        if not wanted or span.last_page < 1:
            return []
        index = await self._cache.get(span.book_id, span.import_id)
        return _best(index, wanted, last_page=span.last_page, limit=limit)

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
        self._cache.forget(book_id)

    async def _build(self, book_id: str) -> _BookIndex:
        chunks = await self._books.chunks(book_id)
        return await asyncio.get_running_loop().run_in_executor(self._workers, _index, chunks)


def _best(index: _BookIndex, stems: Iterable[str], *, last_page: int, limit: int) -> list[tuple[int, float]]:
    readable = int(np.searchsorted(index.end_pages, last_page, side="right"))
    if readable == 0:
        return []
    mean_length = index.total_lengths[readable - 1] / readable or 1.0
    scores = np.zeros(readable, dtype=np.float64)
    for stem in stems:
        postings = index.postings.get(stem)
        found = int(np.searchsorted(postings.rows, readable)) if postings else 0
        if postings is None or found == 0:
            continue
        rows, counts = postings.rows[:found], postings.counts[:found]
        rarity = np.log1p((readable - found + 0.5) / (found + 0.5))
        saturation = counts + _K1 * (1 - _B + _B * index.lengths[rows] / mean_length)
        scores[rows] += rarity * counts * (_K1 + 1) / saturation
    order = np.argsort(-scores, kind="stable")[:limit]
    return [(int(index.chunk_ids[row]), float(scores[row])) for row in order if scores[row] > 0]


def _index(chunks: Sequence[StoredChunk]) -> _BookIndex:
    rows: defaultdict[str, list[int]] = defaultdict(list)
    counts: defaultdict[str, list[int]] = defaultdict(list)
    lengths = np.zeros(len(chunks), dtype=np.float32)
    for row, chunk in enumerate(chunks):
        stems = content_stems(chunk.text)
        lengths[row] = len(stems)
        for stem, count in Counter(stems).items():
            rows[stem].append(row)
            counts[stem].append(count)
    return _BookIndex(
        chunk_ids=np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64),
        end_pages=np.array([chunk.end_page for chunk in chunks], dtype=np.int32),
        total_lengths=np.cumsum(lengths, dtype=np.float64),
        lengths=lengths,
        postings={
            stem: _Postings(rows=np.array(rows[stem], dtype=np.int32), counts=np.array(counts[stem], dtype=np.float32))
            for stem in rows
        },
    )
