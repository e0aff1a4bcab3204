"""Ranks what has been read, and only that: unread pages weigh nothing in any score.

A library's index (bm25s, FTS5) takes its word statistics from the whole book, so that unread pages would shift the
ranking of read ones; here the statistics are those of the readable prefix. See ADR 0005.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from adapters.retrieval.book_words import BookWords, index_words
from adapters.retrieval.page_ranking import Looked, Weights, look, ranked
from adapters.retrieval.question import Question, terms
from adapters.retrieval.read_words import ReadWords, read_words
from adapters.retrieval.verbatim import chunks_with_runs
from adapters.retrieval.word_likeness import WordLikeness, cosines_to
from core.caching.book_cache import BookCache
from core.domain.passage import ReadableSpan
from core.ports.books import BookRepository
from core.ports.lexical_index import LexicalIndex
from core.ports.word_vectors import WordVectors

_HELD_BOOKS = 64
_HELD_POSITIONS = 32


class Bm25LexicalIndex(LexicalIndex):
    """BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) with Snowball stems, one index a book, held in memory.

    `word_vectors` let it see likeness between words; without them it goes by the words themselves.
    """

    def __init__(
        self,
        books: BookRepository,
        *,
        workers: Executor,
        word_vectors: WordVectors | None = None,
        weights: Weights | None = None,
    ) -> None:
        self._books = books
        self._workers = workers
        self._likeness = WordLikeness(word_vectors) if word_vectors is not None else None
        self._weights = weights or Weights()
        self._words = BookCache(self._build, capacity=_HELD_BOOKS)
        self._read: LRUCache[tuple[str, str, int], ReadWords | None] = LRUCache(maxsize=_HELD_POSITIONS)

    async def rank(
        self, span: ReadableSpan, query: str, *, nearest: Sequence[tuple[int, float]], limit: int
    ) -> list[tuple[int, float]]:
        """Return (chunk id, score), best first, all within the span: one chunk of each page before a second of any.

        Only the index of a book is made in a worker; a question about a book at hand takes a few milliseconds.
        """
        looked = await self.look(span, query, nearest=nearest)
        return ranked(looked, self._weights, limit=limit) if looked is not None else []

    async def look(self, span: ReadableSpan, query: str, *, nearest: Sequence[tuple[int, float]]) -> Looked | None:
        """Return what speaks for each page before it is weighed; None where there is nothing to look for, or in."""
        question = Question.of(query)
        if not question.stems or span.last_page < 1:
            return None
        book = await self._words.get(span.book_id, span.import_id)
        read = self._read_words(span, book)
        if read is None:
            return None
        asked = terms(question, read, self._likeness, likeness_from=self._weights.likeness_from)
        verbatim = chunks_with_runs(book, question.running, chunks=read.chunks)
        return look(read, asked, likeness=self._as_wholes(read, question), nearest=nearest, verbatim=verbatim)

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
        self._words.forget(book_id)

    async def _build(self, book_id: str) -> BookWords:
        chunks = await self._books.chunks(book_id)
        return await asyncio.get_running_loop().run_in_executor(self._workers, index_words, chunks, self._likeness)

    def _as_wholes(self, read: ReadWords, question: Question) -> NDArray[np.float32] | None:
        """Return how like each chunk that is read is to the question."""
        themes = read.book.themes
        if self._likeness is None or themes is None:
            return None
        return cosines_to(themes[: read.chunks], self._likeness.theme_of(question.running))

    def _read_words(self, span: ReadableSpan, book: BookWords) -> ReadWords | None:
        key = (span.book_id, span.import_id, span.last_page)
        read = self._read.get(key)
        if read is None or read.book is not book:
            read = self._read[key] = read_words(book, span.last_page)
        return read
