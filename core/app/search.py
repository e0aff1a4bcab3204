"""Search a book within the pages read: by meaning and by words, each behind the page bound, in one order."""

from collections.abc import Sequence

from core.app.dense import DenseSearch
from core.domain.book import Book
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.ports.books import BookRepository
from core.ports.lexical_index import LexicalIndex
from core.text.words import content_stems

_NEAREST = 200
"""How many are looked up by meaning: how far the best stand out among them is what counts, and more cost more."""


class SearchBooksUseCase:
    """What the search tool, the quoting answer and `thusfar search` call.

    Where nothing is embedded, `dense` has no rungs and words alone decide.
    """

    def __init__(self, *, books: BookRepository, lexical: LexicalIndex, dense: DenseSearch) -> None:
        self._books = books
        self._lexical = lexical
        self._dense = dense

    async def execute(self, book_id: str, query: str, *, position: Position, top_k: int = 5) -> list[SearchResult]:
        """Return the best chunks within the pages read, best first; nothing for a query without a word of matter.

        Raises:
            BookError: no such book, or a position outside it.
        """
        book = await self._books.get(book_id)
        span = readable(book, position)
        return await self.through_the_gate(span, await self.ranked(book, span, query, top_k=top_k))

    async def ranked(self, book: Book, span: ReadableSpan, query: str, *, top_k: int) -> list[tuple[int, float]]:
        """Return ids and scores of the best chunks, best first; whoever shows their text takes it through the gate."""
        if span.last_page == 0 or not content_stems(query):
            return []
        nearest = await self._dense.nearest(book, span, query, limit=_NEAREST)
        return await self._lexical.rank(span, query, nearest=nearest, limit=top_k)

    async def through_the_gate(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the chunks with their text from SQL, through the page bound: a stale index cannot leak."""
        chunks = {c.chunk_id: c for c in await self._books.readable_chunks(span, [chunk_id for chunk_id, _ in ranked])}
        return [chunks[chunk_id].found(score=score) for chunk_id, score in ranked if chunk_id in chunks]
