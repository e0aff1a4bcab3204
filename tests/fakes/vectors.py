"""Vectors, in memory."""

from collections.abc import Sequence

import numpy as np

from core.ports.vectors import ChunkVectors, VectorRepository, Vectors
from tests.fakes.books import InMemoryBookRepository


class InMemoryVectorRepository(VectorRepository):
    """Keeps vectors beside the chunks of an InMemoryBookRepository, and goes with them."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        self._books = books

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        return [
            (chunk.chunk_id, chunk.text)
            for chunk in await self._books.chunks(book_id)
            if (model_id, chunk.chunk_id) not in self._books.vectors
        ][:limit]

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        for chunk_id in dict.fromkeys(chunk_ids):
            if self._books.holds_chunk(chunk_id):
                own = vectors[np.array(chunk_ids) == chunk_id]
                self._books.vectors.setdefault((model_id, chunk_id), own.copy())

    async def load(self, book_id: str, model_id: str, *, dimensions: int) -> ChunkVectors:
        rows = [
            (chunk, vector)
            for chunk in await self._books.chunks(book_id)
            for vector in self._books.vectors.get((model_id, chunk.chunk_id), ())
        ]
        return ChunkVectors(
            chunk_ids=np.array([chunk.chunk_id for chunk, _ in rows], dtype=np.int64),
            end_pages=np.array([chunk.end_page for chunk, _ in rows], dtype=np.int32),
            vectors=np.array([vector for _, vector in rows], dtype=np.float32).reshape(-1, dimensions),
        )

    async def count(self, book_id: str, model_id: str) -> int:
        return sum((model_id, chunk.chunk_id) in self._books.vectors for chunk in await self._books.chunks(book_id))
