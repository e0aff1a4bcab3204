"""A lexical index that reads every chunk at each search."""

from core.domain.passage import ReadableSpan
from core.language.words import content_stems
from core.ports.books import BookRepository
from core.ports.lexical_index import LexicalIndex
from core.ports.passage_index import Near


class InMemoryLexicalIndex(LexicalIndex):
    """Scores a chunk by how many of the query's stems it holds, and a little by how near it is in meaning.

    `refreshed` keeps which books were refreshed.
    """

    def __init__(self, books: BookRepository) -> None:
        self._books = books
        self.refreshed: list[str] = []

    async def rank(self, span: ReadableSpan, query: str, *, nearest: Near, limit: int) -> list[tuple[int, float]]:
        wanted = content_stems(query)
        scores = {
            chunk.chunk_id: float(len(wanted.intersection(content_stems(chunk.text))))
            for chunk in await self._books.chunks(span.book_id)
            if chunk.end_page <= span.last_page
        }
        for place, (chunk_id, _) in enumerate(nearest.chunks, start=2):
            if chunk_id in scores:
                scores[chunk_id] += 1 / place
        best_first = sorted(scores.items(), key=lambda found: -found[1])
        return [found for found in best_first if found[1] > 0][:limit]

    async def refresh(self, book_id: str) -> None:
        self.refreshed.append(book_id)
