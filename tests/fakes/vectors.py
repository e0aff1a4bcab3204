"""The dense side without a model: words hashed into dimensions, vectors in a dictionary, search by dot products."""

import hashlib
from collections.abc import Sequence

import numpy as np

from core.domain.passage import ReadableSpan
from core.ports.vectors import ChunkVectors, EmbeddingProvider, PassageIndex, VectorRepository, Vectors
from core.text.words import content_stems
from tests.fakes.repositories import InMemoryBookRepository

_DIMENSIONS = 128


class HashEmbeddingProvider(EmbeddingProvider):
    """A dimension a stem, chosen by its hash; `batches` keeps how many texts each call was given."""

    def __init__(self, model_id: str = "hash-1-128") -> None:
        self._model_id = model_id
        self.batches: list[int] = []

    @property
    def model_id(self) -> str:
        return self._model_id

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            for stem in content_stems(text):
                digest = hashlib.sha256(stem.encode("utf-8", "surrogatepass")).digest()
                vectors[row, digest[0] % _DIMENSIONS] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    async def close(self) -> None:
        """Nothing is held."""


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


class InMemoryPassageIndex(PassageIndex):
    """Compares the vector with every readable one; `refreshed` keeps who asked for what."""

    def __init__(self, vectors: VectorRepository, *, model_id: str) -> None:
        self._vectors = vectors
        self._model_id = model_id
        self.refreshed: list[str] = []

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[int]:
        held = await self._vectors.load(span.book_id, self._model_id)
        nearness = {
            int(chunk_id): float(row @ vector)
            for chunk_id, end_page, row in zip(held.chunk_ids, held.end_pages, held.vectors, strict=True)
            if span.holds(int(end_page))
        }
        return sorted(nearness, key=lambda chunk_id: -nearness[chunk_id])[:limit]

    async def count(self, span: ReadableSpan) -> int:
        return len((await self._vectors.load(span.book_id, self._model_id)).chunk_ids)

    async def refresh(self, book_id: str) -> None:
        self.refreshed.append(book_id)

    async def close(self) -> None:
        """Nothing is held."""
