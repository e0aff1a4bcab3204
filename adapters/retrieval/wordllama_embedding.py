"""WordLlama's vectors of passages, sums of word vectors; they ship with the program and need no network (ADR 3)."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from core.language.words import words
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.word_vectors import WordVectors

if TYPE_CHECKING:
    from core.ports.vectors import Vectors

_DIMENSIONS = 256
_MODEL_ID = f"wordllama-l2-supercat-{_DIMENSIONS}"


class WordLlamaEmbeddingProvider(EmbeddingProvider):
    """256 dimensions, a thousand passages a second; loaded at first use."""

    model_id = _MODEL_ID
    dimensions = _DIMENSIONS

    def __init__(self, vectors: WordVectors, *, workers: Executor) -> None:
        self._vectors = vectors
        self._workers = workers

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector per text; a text without words gives zeros."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._embed, texts)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _embed(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        from adapters.retrieval.word_likeness import theme_of

        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            if found := words(text):
                row[:] = theme_of(self._vectors, found)
        return vectors
