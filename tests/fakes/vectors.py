"""Vectors, in memory."""

from collections.abc import Sequence

import numpy as np

from core.ports.vectors import ChunkVectors, VectorRepository, Vectors
from tests.fakes.books import InMemoryBookRepository

_DIMENSIONS = 128


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
        for chunk_id, vector in zip(chunk_ids, vectors, strict=True):
            if self._books.holds_chunk(chunk_id):
                self._books.vectors.setdefault((model_id, chunk_id), vector.copy())

    async def load(self, book_id: str, model_id: str) -> ChunkVectors:
        rows = [c for c in await self._books.chunks(book_id) if (model_id, c.chunk_id) in self._books.vectors]
        vectors = [self._books.vectors[model_id, chunk.chunk_id] for chunk in rows]
        return ChunkVectors(
            chunk_ids=np.array([chunk.chunk_id for chunk in rows], dtype=np.int64),
            end_pages=np.array([chunk.end_page for chunk in rows], dtype=np.int32),
            vectors=np.stack(vectors) if vectors else np.zeros((0, 0), dtype=np.float32),
        )

    async def count(self, book_id: str, model_id: str) -> int:
        return len((await self.load(book_id, model_id)).chunk_ids)
