"""In-memory vectors of made-up books, for the tests of the dense indexes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.domain.passage import ReadableSpan
from core.ports.passage_index import PassageIndex
from core.ports.vectors import ChunkVectors, VectorRepository, Vectors

DIMENSIONS = 32
MODEL = "random-32"


class InMemoryVectorRepository(VectorRepository):
    """Holds the vectors of each book and counts how often they are loaded."""

    def __init__(self) -> None:
        self.books: dict[str, ChunkVectors] = {}
        self.loads = 0

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        return []

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        raise NotImplementedError

    async def load(self, book_id: str, model_id: str, *, dimensions: int) -> ChunkVectors:
        self.loads += 1
        return self.books.get(book_id) or made_up(chunks=0)

    async def count(self, book_id: str, model_id: str) -> int:
        return len((await self.load(book_id, model_id, dimensions=DIMENSIONS)).chunk_ids)


def made_up(*, chunks: int, first_id: int = 1, seed: int = 0, chunks_a_page: int = 2) -> ChunkVectors:
    """Return unit vectors in random directions, some chunks a page."""
    raw = np.random.default_rng(seed).normal(size=(chunks, DIMENSIONS)).astype(np.float32)
    rows = np.arange(chunks)
    return ChunkVectors(
        chunk_ids=(rows + first_id).astype(np.int64),
        end_pages=(rows // chunks_a_page + 1).astype(np.int32),
        vectors=raw / np.linalg.norm(raw, axis=1, keepdims=True),
    )


def one_query(seed: int = 99) -> Vectors:
    """Return one unit vector."""
    vector = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


async def ids_found(index: PassageIndex, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[int]:
    """Return the ids of a search, after checking that their cosines are in order."""
    found = await index.search(span, vector, limit=limit)
    cosines = [cosine for _, cosine in found]
    assert all(later <= earlier + 1e-6 for earlier, later in pairwise(cosines))
    assert all(-1.0001 <= cosine <= 1.0001 for cosine in cosines)
    return [chunk_id for chunk_id, _ in found]
