"""What a model is shown of a search: the whole pages of the best hits, not the pieces that were found on them.

A page's best piece is found where its answer may stand in the next one; two whole pages answer more questions than five
pieces of five pages, in as many words (ADR 18 has the figures).
"""

from collections.abc import Sequence

from core.domain.passage import ReadableSpan, SearchResult
from core.ports.repositories import BookRepository


class WholePages:
    """Puts the rest of their pages beside the hits of a search; every piece comes through the gate once more."""

    def __init__(self, *, books: BookRepository) -> None:
        self._books = books

    async def around(self, span: ReadableSpan, hits: Sequence[SearchResult]) -> list[SearchResult]:
        """Return the pages of the best hits, best page first, each page's pieces in their order.

        The best page is given whole, and others as long as there are no more pieces than there were hits. A piece that
        was not among them has its page's score.
        """
        scores: dict[int, float] = {}
        for hit in hits:
            scores.setdefault(hit.start_page, hit.score)
        pages: dict[int, list[SearchResult]] = {page: [] for page in scores}
        for piece in await self._books.chunks_of_pages(span, list(scores)):
            pages[piece.start_page].append(
                SearchResult(
                    chunk_id=piece.chunk_id,
                    start_page=piece.start_page,
                    end_page=piece.end_page,
                    score=scores[piece.start_page],
                    text=piece.text,
                )
            )
        shown: list[SearchResult] = []
        for pieces in pages.values():
            if shown and len(shown) + len(pieces) > len(hits):
                break
            shown += pieces
        return shown
