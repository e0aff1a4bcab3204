"""Ports of the dense side of retrieval: what makes vectors, what keeps them, what searches them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import ReadableSpan

Vectors = NDArray[np.float32]
"""One row a text, each of length 1 (so that a dot product is the cosine)."""


class EmbeddingProvider(Protocol):
    """Turns texts into vectors. The model's id is stored with them; vectors of two models are never mixed."""

    @property
    def model_id(self) -> str:
        """Names the model, its version and its number of dimensions."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text; a text without any known token gives zeros. Never blocks the event loop.

        Raises:
            LLMError: the model is on a server that gave no usable answer.
        """

    async def close(self) -> None:
        """Let go of connections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkVectors:
    """The vectors of a book, row by row in the order of the book."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    vectors: Vectors


class VectorRepository(Protocol):
    """Vectors in SQL, the source of truth from which every dense index is built."""

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` chunks (id, text) that have no vector of this model yet."""

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors; those of chunks that have gone meanwhile are dropped."""

    async def load(self, book_id: str, model_id: str) -> ChunkVectors:
        """Return all vectors of a book."""

    async def count(self, book_id: str, model_id: str) -> int:
        """Return how many vectors of this model a book has."""


class PassageIndex(Protocol):
    """Finds the chunks nearest to a vector within the pages that may be read."""

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[int]:
        """Return chunk ids, nearest first, all within the span."""

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the whole book can be found."""

    async def refresh(self, book_id: str) -> None:
        """Take in what SQL has for the book now (after an import, a removal, new vectors)."""

    async def close(self) -> None:
        """Let go of files and locks."""
