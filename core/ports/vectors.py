"""Port: the vectors of chunks in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text, each of length 1 (so that a dot product is the cosine)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkVectors:
    """The vectors of a book, one row each in the order of the book. A chunk may have several rows in sequence."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    vectors: Vectors


class VectorRepository(Protocol):
    """Stores vectors. Every dense index is built from them."""

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` chunks (id, text) that have no vector of this model yet."""

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors, one row each; rows of chunks that no longer exist are dropped.

        All rows of a chunk must be in one call, in sequence.
        """

    async def load(self, book_id: str, model_id: str, *, dimensions: int) -> ChunkVectors:
        """Return all vectors of a book, each with `dimensions` numbers."""

    async def count(self, book_id: str, model_id: str) -> int:
        """Return how many chunks of a book have vectors of this model."""
