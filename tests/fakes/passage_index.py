"""An index over the vectors in memory."""

from core.domain.passage import ReadableSpan
from core.ports.passage_index import PassageIndex
from core.ports.vectors import VectorRepository, Vectors

_DIMENSIONS = 128


class InMemoryPassageIndex(PassageIndex):
    """Compares the vector with every readable one; `refreshed` keeps who asked for what."""

    def __init__(self, vectors: VectorRepository, *, model_id: str) -> None:
        self._vectors = vectors
        self._model_id = model_id
        self.refreshed: list[str] = []

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        held = await self._vectors.load(span.book_id, self._model_id, dimensions=_DIMENSIONS)
        found = [
            (int(chunk_id), float(row @ vector))
            for chunk_id, end_page, row in zip(held.chunk_ids, held.end_pages, held.vectors, strict=True)
            if end_page <= span.last_page
        ]
        return sorted(found, key=lambda each: -each[1])[:limit]

    async def count(self, span: ReadableSpan) -> int:
        return await self._vectors.count(span.book_id, self._model_id)

    async def refresh(self, book_id: str) -> None:
        self.refreshed.append(book_id)

    async def close(self) -> None:
        """Nothing is held."""
