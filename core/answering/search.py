"""Searches the read pages of a book by meaning and by words, and ranks both in one order.

Each search is limited to the read pages. The search of a turn is bound to a book and a position, and caches results.
"""

from collections.abc import Sequence

from core.answering.dense import DenseSearch
from core.domain.book import Book
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.language.words import content_stems
from core.ports.books import BookTexts
from core.ports.lexical_index import LexicalIndex

_NEAREST = 200
"""How many chunks are found by meaning. The ranking needs many, to see how far the best stand out; more cost time."""

_RANKED = 50
_PIECES = 12
"""How many pieces one search reads: the scope check uses the first few, the quoting answer all of them."""


class SearchBooksUseCase:
    """Searches a book for the search tool, the quoting answer and `thusfar search`.

    Where nothing is embedded, `dense` has no rungs, and words alone decide.
    """

    def __init__(self, *, books: BookTexts, lexical: LexicalIndex, dense: DenseSearch) -> None:
        self._books = books
        self._lexical = lexical
        self._dense = dense

    async def execute(self, book_id: str, query: str, *, position: Position, top_k: int = 5) -> list[SearchResult]:
        """Return the best chunks within the pages read, best first; empty for a query without content words.

        Raises:
            BookError: there is no such book, or the position is outside it.
        """
        book = await self._books.get(book_id)
        span = readable(book, position)
        return await self.through_the_gate(span, await self.ranked(book, span, query, top_k=top_k))

    async def ranked(self, book: Book, span: ReadableSpan, query: str, *, top_k: int) -> list[tuple[int, float]]:
        """Return ids and scores of the best chunks, best first. Get their text by `through_the_gate`."""
        if span.last_page == 0 or not content_stems(query):
            return []
        nearest = await self._dense.nearest(book, span, query, limit=_NEAREST)
        return await self._lexical.rank(span, query, nearest=nearest, limit=top_k)

    async def through_the_gate(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the chunks with their text from the database, unread ones left out: a stale index cannot leak."""
        chunks = {c.chunk_id: c for c in await self._books.readable_chunks(span, [chunk_id for chunk_id, _ in ranked])}
        return [chunks[chunk_id].found(score=score) for chunk_id, score in ranked if chunk_id in chunks]


class TurnSearch:
    """A `SearchFn` that is bound to a book and a position.

    It caches results, since scope check, strategy, tools and verifier repeat the same searches.
    """

    def __init__(self, books: SearchBooksUseCase, book: Book, position: Position) -> None:
        """Raises BookError where the position is outside the book."""
        self._books = books
        self._book = book
        self._span = readable(book, position)
        self._found: dict[tuple[str, int], list[SearchResult]] = {}

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        """Return the best passages within the pages read, best first."""
        asked = max(top_k, _PIECES)
        if (query, asked) not in self._found:
            ranked = await self._books.ranked(self._book, self._span, query, top_k=max(asked, _RANKED))
            self._found[query, asked] = await self._books.through_the_gate(self._span, ranked[:asked])
        return self._found[query, asked][:top_k]
