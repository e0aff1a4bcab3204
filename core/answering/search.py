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
        """Return ids and scores of the best chunks, best first; whoever shows their text takes it through the gate."""
        if span.last_page == 0 or not content_stems(query):
            return []
        nearest = await self._dense.nearest(book, span, query, limit=_NEAREST)
        return await self._lexical.rank(span, query, nearest=nearest, limit=top_k)

    async def through_the_gate(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the chunks with their text from SQL, through the page bound: a stale index cannot leak."""
        chunks = {c.chunk_id: c for c in await self._books.readable_chunks(span, [chunk_id for chunk_id, _ in ranked])}
        return [chunks[chunk_id].found(score=score) for chunk_id, score in ranked if chunk_id in chunks]


class TurnSearch:
    """A `SearchFn`: a model is shown whole pages; who only quotes looks at the pieces that were found.

    Scope, strategy, tools and verifier ask for the same again, or for more of it: what was ranked once is kept.
    """

    def __init__(
        self, search_books: SearchBooksUseCase, whole_pages: "WholePages | None", book: Book, position: Position
    ) -> None:
        """Raises BookError where the position lies outside the book."""
        self._search_books = search_books
        self._whole_pages = whole_pages
        self._book = book
        self._span = readable(book, position)
        self._ranked: dict[str, tuple[int, list[tuple[int, float]]]] = {}
        self._pages: dict[tuple[str, int], list[SearchResult]] = {}
        self._pieces: dict[str, tuple[int, list[SearchResult]]] = {}

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        """Return the best passages within the pages read, best first."""
        if self._whole_pages is None:
            return await self._best_pieces(query, top_k)
        if (query, top_k) not in self._pages:
            best = (await self._ranking(query, top_k))[:top_k]
            self._pages[query, top_k] = await self._whole_pages.around(self._span, best)
        return self._pages[query, top_k]

    async def _best_pieces(self, query: str, top_k: int) -> list[SearchResult]:
        asked, pieces = self._pieces.get(query, (0, []))
        if asked < top_k:  # where fewer than that were found, there are no more
            asked = max(top_k, _PIECES)
            best = (await self._ranking(query, top_k))[:asked]
            pieces = await self._search_books.through_the_gate(self._span, best)
            self._pieces[query] = asked, pieces
        return pieces[:top_k]

    async def _ranking(self, query: str, top_k: int) -> list[tuple[int, float]]:
        asked, ranked = self._ranked.get(query, (0, []))
        if asked < top_k:
            asked = max(top_k, _RANKED)
            ranked = await self._search_books.ranked(self._book, self._span, query, top_k=asked)
            self._ranked[query] = asked, ranked
        return ranked


class WholePages:
    """What a model is shown of a search: the whole pages of the best hits, not the pieces that were found on them.

    A page's best piece is found where its answer may stand in the next one; two whole pages answer more questions than
    five pieces of five pages, in as many words (ADR 18 has the figures). Every piece comes through the gate.
    """

    def __init__(self, *, books: BookRepository) -> None:
        self._books = books

    async def around(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the pages of the best chunks, best page first, each page's pieces in their order.

        `ranked` are ids and scores, best first. The best page is given whole, and others as long as there are no more
        pieces than there were hits. A piece has its page's score.
        """
        pieces = await self._books.chunks_beside(span, [chunk_id for chunk_id, _ in ranked])
        shown: list[SearchResult] = []
        for page, score in _page_scores(pieces, ranked).items():
            whole = [piece.found(score=score) for piece in pieces if piece.start_page == page]
            if shown and len(shown) + len(whole) > len(ranked):
                break
            shown += whole
        return shown


def _page_scores(pieces: Sequence[StoredChunk], ranked: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Return the score of each page's best chunk, best page first."""
    page_of = {piece.chunk_id: piece.start_page for piece in pieces}
    scores: dict[int, float] = {}
    for chunk_id, score in ranked:
        if chunk_id in page_of:
            scores.setdefault(page_of[chunk_id], score)
    return scores


class TurnSearches:
    """Binds book and position into a search: the only way in which one comes to a question."""

    def __init__(self, search_books: SearchBooksUseCase, *, whole_pages: WholePages | None = None) -> None:
        """Without `whole_pages`, pieces are given, as for who only quotes."""
        self._search_books = search_books
        self._whole_pages = whole_pages

    def within(self, book: Book, position: Position) -> TurnSearch:
        """Return the search of a turn. Raises BookError where the position lies outside the book."""
        return TurnSearch(self._search_books, self._whole_pages, book, position)

    def of_pieces(self, book: Book, position: Position) -> TurnSearch:
        """Return a search for who only quotes. Raises as `within`."""
        return TurnSearch(self._search_books, None, book, position)
