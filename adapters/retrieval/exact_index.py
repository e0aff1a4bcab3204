"""Exact search over the vectors in SQL; used wherever Chroma can't be."""

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import ReadableSpan
from core.language.book_memory import BookCache, BookMemory
from core.ports.passage_index import PassageIndex
from core.ports.vectors import ChunkVectors, VectorRepository, Vectors


class ExactPassageIndex(PassageIndex):
    """Computes a dot product with every readable vector: half a millisecond for a novel."""

    def __init__(
        self, vectors: VectorRepository, *, model_id: str, dimensions: int, memory: BookMemory | None = None
    ) -> None:
        self._vectors = vectors
        self._model_id = model_id
        self._dimensions = dimensions
        self._cache: BookCache[ChunkVectors] = BookCache(f"vectors {model_id}", memory)

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return chunk ids and cosines, nearest first, all within the span."""
        held = await self._held(span)
        first, last = readable_rows(held.end_pages, span)
        # Not a BLAS product: its rounding depends on the number of rows, and it wakes threads.
        scores = np.einsum("rd,d->r", held.vectors[first:last], vector)
        order = nearest_first(scores, limit)
        return list(zip(held.chunk_ids[first:last][order].tolist(), scores[order].tolist(), strict=True))

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the whole book can be found."""
        return len(np.unique((await self._held(span)).chunk_ids))

    async def refresh(self, book_id: str) -> None:
        """Drop what is cached of a book; it is loaded from SQL when next needed."""
        self._cache.forget(book_id)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    async def _held(self, span: ReadableSpan) -> ChunkVectors:
        return await self._cache.get(span.book_id, span.import_id, lambda: self.load(span.book_id))

    async def has(self, book_id: str, model_id: str) -> bool:
        """Return whether SQL has vectors of a book by a model, which may differ from this index's."""
        return await self._vectors.count(book_id, model_id) > 0

    async def load(self, book_id: str) -> ChunkVectors:
        """Return all vectors of a book as SQL has them now."""
        return await self._vectors.load(book_id, self._model_id, dimensions=self._dimensions)


def nearest_first(cosines: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return the rows of the highest cosines, highest first, earlier rows first among equals; only these are sorted."""
    if len(cosines) <= limit:
        return np.argsort(-cosines, kind="stable")
    least = np.partition(cosines, -limit)[-limit]
    rows = np.flatnonzero(cosines >= least)
    return rows[np.argsort(-cosines[rows], kind="stable")][:limit]


def readable_rows(end_pages: NDArray[np.int32], span: ReadableSpan) -> tuple[int, int]:
    """Return the first readable row and the one after the last: chunks are in book order."""
    first = int(np.searchsorted(end_pages, span.first_page, side="left"))
    return first, max(first, int(np.searchsorted(end_pages, span.last_page, side="right")))
