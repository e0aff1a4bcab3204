"""BM25 over what has been read, and only that: unread pages weigh nothing in any score.

A library's index (bm25s, FTS5) takes its word statistics from the whole book, so that unread pages would shift the
ranking of read ones; here the statistics are those of the readable prefix. See ADR 0005.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor

from adapters.retrieval.book_words import BookWords, index_words
from adapters.retrieval.page_ranking import Weights, rank_chunks
from adapters.retrieval.question import Question
from core.caching.book_cache import BookCache
from core.domain.passage import ReadableSpan
from core.ports.books import BookRepository
from core.ports.lexical_index import LexicalIndex
from core.ports.word_vectors import WordVectors

_HELD_BOOKS = 64
_QUERY_STEMS = 200
_WORDS_WITH_LIKES = 24


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
        self._word_vectors = word_vectors
        self._weights = weights or Weights()
        self._cache = BookCache(self._build, capacity=_HELD_BOOKS)

    async def rank(
        self, span: ReadableSpan, query: str, *, nearest: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        """Return (chunk id, score), best first, all within the span: one chunk of each page before a second of any."""
        question = Question.of(query, most=_QUERY_STEMS)
        if not question.stems or span.last_page < 1:
            return []
        book = await self._cache.get(span.book_id, span.import_id)
        return await asyncio.get_running_loop().run_in_executor(
            self._workers, self._ranked, book, question, span.last_page, nearest, limit
        )

    async def refresh(self, book_id: str) -> None:
        """Forget what is held of a book; it is built anew from SQL when next needed."""
        self._cache.forget(book_id)

    async def _build(self, book_id: str) -> BookWords:
        chunks = await self._books.chunks(book_id)
        return await asyncio.get_running_loop().run_in_executor(self._workers, index_words, chunks, self._word_vectors)

    def _ranked(
        self, book: BookWords, question: Question, last_page: int, nearest: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        vectors = self._word_vectors
        return rank_chunks(
            book,
            question,
            last_page=last_page,
            nearest=nearest,
            table=vectors.table() if vectors else None,
            question_pieces=vectors.pieces(question.words[:_WORDS_WITH_LIKES]) if vectors else (),
            weights=self._weights,
        )[:limit]
