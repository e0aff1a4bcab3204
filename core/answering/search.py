"""Searches the read pages of a book by meaning and by words, and ranks both in one order.

Each search is limited to the read pages. The search of a turn is bound to a book and a position, and caches results.
"""

from collections.abc import Sequence

from core.answering.dense import DenseSearch
from core.domain.book import Book
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.language.words import content_stems
from core.ports.books import BookTexts, StoredChunk
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

    async def whole_pages(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return all chunks of the best read pages, best page first, each page's chunks in order.

        The best page is always included, and further pages as long as there are no more chunks than there were hits. A
        chunk has its page's score. The best chunk is often next to the answer: two whole pages answer more questions
        than five chunks of five pages, in as many words (figures in ADR 18).
        """
        pieces = await self._books.chunks_beside(span, [chunk_id for chunk_id, _ in ranked])
        shown: list[SearchResult] = []
        for page, score in _page_scores(pieces, ranked).items():
            whole = [piece.found(score=score) for piece in pieces if piece.start_page == page]
            if shown and len(shown) + len(whole) > len(ranked):
                break
            shown += whole
        return shown


class TurnSearch:
    """A `SearchFn` that is bound to a book and a position.

    It caches results, since scope check, strategy, tools and verifier repeat the same searches. With `whole_pages` it
    returns whole pages, for a model; otherwise single chunks, for quotations.
    """

    def __init__(self, books: SearchBooksUseCase, book: Book, position: Position, *, whole_pages: bool = False) -> None:
        """Raises BookError where the position is outside the book."""
        self._books = books
        self._book = book
        self._span = readable(book, position)
        self._whole_pages = whole_pages
        self._found: dict[tuple[str, int], list[SearchResult]] = {}

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        """Return the best passages within the pages read, best first."""
        asked = top_k if self._whole_pages else max(top_k, _PIECES)
        if (query, asked) not in self._found:
            self._found[query, asked] = await self._search(query, asked)
        found = self._found[query, asked]
        return found if self._whole_pages else found[:top_k]

    async def _search(self, query: str, top_k: int) -> list[SearchResult]:
        ranked = (await self._books.ranked(self._book, self._span, query, top_k=max(top_k, _RANKED)))[:top_k]
        shown = self._books.whole_pages if self._whole_pages else self._books.through_the_gate
        return await shown(self._span, ranked)


def _page_scores(pieces: Sequence[StoredChunk], ranked: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Return the score of each page's best chunk, best page first."""
    page_of = {piece.chunk_id: piece.start_page for piece in pieces}
    scores: dict[int, float] = {}
    for chunk_id, score in ranked:
        if chunk_id in page_of:
            scores.setdefault(page_of[chunk_id], score)
    return scores
