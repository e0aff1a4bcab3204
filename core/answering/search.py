"""Search a book within the pages read: by meaning and by words, each behind the page bound, in one order.

The search of a turn has book and position bound into it, and looks for nothing twice.
"""

from collections.abc import Sequence

from core.answering.dense import DenseSearch
from core.domain.book import Book
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.language.words import content_stems
from core.ports.books import BookRepository, StoredChunk
from core.ports.lexical_index import LexicalIndex

_NEAREST = 200
"""How many are looked up by meaning: how far the best stand out among them is what counts, and more cost more."""

_RANKED = 50
_PIECES = 12
"""So many pieces are read at once: the scope check looks at the first of them, the quoting answer at all."""


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
        """Return ids and scores of the best chunks, best first; their text is shown through the gate only."""
        if span.last_page == 0 or not content_stems(query):
            return []
        nearest = await self._dense.nearest(book, span, query, limit=_NEAREST)
        return await self._lexical.rank(span, query, nearest=nearest, limit=top_k)

    async def through_the_gate(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the chunks with their text from SQL, through the page bound: a stale index cannot leak."""
        chunks = {c.chunk_id: c for c in await self._books.readable_chunks(span, [chunk_id for chunk_id, _ in ranked])}
        return [chunks[chunk_id].found(score=score) for chunk_id, score in ranked if chunk_id in chunks]

    async def whole_pages(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the pages of the best chunks through the page bound, best page first, each page's chunks in order.

        The best page is given whole, and others as long as there are no more chunks than there were hits. A chunk has
        its page's score. A page's best chunk often stands beside the answer: two whole pages answer more questions
        than five chunks of five pages, in as many words (ADR 18 has the figures).
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
    """A `SearchFn`: book and position are bound in. A model is shown `whole_pages`, a quotation is made from pieces.

    Scope, strategy, tools and verifier ask for the same again: what was found once is kept.
    """

    def __init__(self, books: SearchBooksUseCase, book: Book, position: Position, *, whole_pages: bool = False) -> None:
        """Raises BookError where the position lies outside the book."""
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
