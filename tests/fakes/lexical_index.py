"""A lexical index that reads every chunk at each search."""

from collections.abc import Sequence

from core.domain.fusion import fuse
from core.domain.passage import ReadableSpan
from core.ports.lexical_index import LexicalIndex
from core.ports.repositories import BookRepository
from core.text.words import content_stems


class InMemoryLexicalIndex(LexicalIndex):
    """Scores a chunk by how many of the query's stems it holds; `refreshed` keeps who asked for what."""

    def __init__(self, books: BookRepository) -> None:
        self._books = books
        self.refreshed: list[str] = []

    async def search(self, span: ReadableSpan, query: str, *, limit: int) -> list[tuple[int, float]]:
        wanted = set(content_stems(query))
        scored = [
            (chunk.chunk_id, float(len(wanted.intersection(content_stems(chunk.text)))))
            for chunk in await self._books.chunks(span.book_id)
            if span.holds(chunk.end_page)
        ]
        best_first = sorted(scored, key=lambda found: -found[1])
        return [found for found in best_first if found[1] > 0][:limit]

    async def rank(
        self, span: ReadableSpan, query: str, *, nearest: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        readable = {chunk.chunk_id for chunk in await self._books.chunks(span.book_id) if span.holds(chunk.end_page)}
        by_words = [chunk_id for chunk_id, _ in await self.search(span, query, limit=len(readable))]
        by_meaning = [chunk_id for chunk_id in nearest if chunk_id in readable]
        return fuse([(1.0, by_words), (0.3, by_meaning)])[:limit]

    async def refresh(self, book_id: str) -> None:
        self.refreshed.append(book_id)
