"""The search of one turn: book and position are bound into it, and nothing is looked for twice."""

from core.app.search import SearchBooksUseCase
from core.app.whole_pages import WholePages
from core.domain.book import Book
from core.domain.passage import SearchResult, readable
from core.domain.position import Position

_RANKED = 50


class TurnSearch:
    """A `SearchFn`: a model is shown whole pages; who only quotes looks at the pieces that were found.

    Scope, strategy, tools and verifier ask for the same again, or for more of it: what was ranked once is kept.
    """

    def __init__(
        self, search_books: SearchBooksUseCase, whole_pages: WholePages | None, book: Book, position: Position
    ) -> None:
        """Raises BookError where the position lies outside the book."""
        self._search_books = search_books
        self._whole_pages = whole_pages
        self._book = book
        self._span = readable(book, position)
        self._ranked: dict[str, list[tuple[int, float]]] = {}
        self._found: dict[tuple[str, int], list[SearchResult]] = {}

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        """Return the best passages within the pages read, best first."""
        if (query, top_k) not in self._found:
            self._found[query, top_k] = await self._look(query, top_k)
        return self._found[query, top_k]

    async def _look(self, query: str, top_k: int) -> list[SearchResult]:
        best = (await self._ranking(query, top_k))[:top_k]
        if self._whole_pages is None:
            return await self._search_books.through_the_gate(self._span, best)
        return await self._whole_pages.around(self._span, best)

    async def _ranking(self, query: str, top_k: int) -> list[tuple[int, float]]:
        if len(self._ranked.get(query, ())) < top_k:
            self._ranked[query] = await self._search_books.ranked(
                self._book, self._span, query, top_k=max(top_k, _RANKED)
            )
        return self._ranked[query]
