"""An embedding model that hashes words."""

import hashlib
from collections.abc import Sequence

import numpy as np

from core.language.words import content_words, stem_words
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.vectors import Vectors

_DIMENSIONS = 128


class HashEmbeddingProvider(EmbeddingProvider):
    """A dimension a stem, chosen by its hash; `batches` keeps how many texts each call was given."""

    def __init__(self, model_id: str = "hash-1-128") -> None:
        self._model_id = model_id
        self.batches: list[int] = []

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return _DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            for stem in stem_words(content_words(text)):
                digest = hashlib.sha256(stem.encode("utf-8", "surrogatepass")).digest()
                vectors[row, digest[0] % _DIMENSIONS] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    async def close(self) -> None:
        """Nothing is held."""
