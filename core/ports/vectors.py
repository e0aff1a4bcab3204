"""Port: the vectors of chunks, as SQL keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text, each of length 1 (so that a dot product is the cosine)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkVectors:
    """The vectors of a book, row by row in the order of the book; a chunk may have several, one behind the other."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    vectors: Vectors


class VectorRepository(Protocol):
    """Vectors in SQL, the source of truth from which every dense index is built."""

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` chunks (id, text) that have no vector of this model yet."""

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors, row by row; those of chunks that have gone meanwhile are dropped.

        All rows of a chunk come together, one behind the other.
        """

    async def load(self, book_id: str, model_id: str, *, dimensions: int) -> ChunkVectors:
        """Return all vectors of a book; each has so many numbers."""

    async def count(self, book_id: str, model_id: str) -> int:
        """Return how many chunks of a book have vectors of this model."""
