"""What a model is shown of a search: the whole pages of the best hits, not the pieces that were found on them.

A page's best piece is found where its answer may stand in the next one; two whole pages answer more questions than five
pieces of five pages, in as many words (ADR 18 has the figures).
"""

from collections.abc import Sequence

from core.domain.passage import ReadableSpan, SearchResult
from core.ports.books import BookRepository


class WholePages:
    """Puts the rest of their pages beside the hits of a search; every piece comes through the gate."""

    def __init__(self, *, books: BookRepository) -> None:
        self._books = books

    async def around(self, span: ReadableSpan, ranked: Sequence[tuple[int, float]]) -> list[SearchResult]:
        """Return the pages of the best chunks, best page first, each page's pieces in their order.

        `ranked` are ids and scores, best first. The best page is given whole, and others as long as there are no more
        pieces than there were hits. A piece has its page's score.
        """
        pieces = await self._books.chunks_beside(span, [chunk_id for chunk_id, _ in ranked])
        page_of = {piece.chunk_id: piece.start_page for piece in pieces}
        scores: dict[int, float] = {}
        for chunk_id, score in ranked:
            if chunk_id in page_of:
                scores.setdefault(page_of[chunk_id], score)
        shown: list[SearchResult] = []
        for page, score in scores.items():
            whole = [piece.found(score=score) for piece in pieces if piece.start_page == page]
            if shown and len(shown) + len(whole) > len(ranked):
                break
            shown += whole
        return shown
