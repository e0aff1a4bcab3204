"""The default embedding: WordLlama's static word vectors, which come with the package and load offline (ADR 0004)."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from core.ports.embedding_provider import EmbeddingProvider
from core.ports.word_vectors import WordVectors
from core.text.encodable import encodable

if TYPE_CHECKING:
    from wordllama import WordLlamaInference

    from core.ports.vectors import Vectors

_PACKAGE = "wordllama"
_DIMENSIONS = 256
_BATCH = 16
_AT_ONCE = 200
"""So many characters, a question, take less than half a millisecond: they are not worth the way to a worker."""
_LONGEST_TEXT = 8_000
_LONGEST_WORD = 40
_UNKNOWN_PIECE = 0


def wordllama_is_installed() -> bool:
    """Whether the package is there; it has no wheels for the newest Pythons."""
    return find_spec(_PACKAGE) is not None


class WordLlamaEmbeddingProvider(EmbeddingProvider, WordVectors):
    """256 dimensions, about a thousand passages a second on one core; the model is loaded at first use."""

    def __init__(self, *, workers: Executor) -> None:
        self._workers = workers
        self._model: WordLlamaInference | None = None
        self._loading = threading.Lock()

    @property
    def model_id(self) -> str:
        """Names the model, its version and its number of dimensions."""
        return f"{_PACKAGE}-{version(_PACKAGE)}-{_DIMENSIONS}"

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector a text; a text without any known token gives zeros."""
        if self._model is not None and sum(map(len, texts)) <= _AT_ONCE:
            return self._embed(list(texts))
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._embed, list(texts))

    async def close(self) -> None:
        """There is nothing to let go of."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return for each word the rows of the table that it is made of, at least one."""
        shortened = [encodable(word[:_LONGEST_WORD]) for word in words]
        encoded = self._loaded().tokenizer.encode_batch(shortened, add_special_tokens=False)
        # The model pads all words of a batch to the longest.
        return [
            [piece for piece, counts in zip(word.ids, word.attention_mask, strict=True) if counts] or [_UNKNOWN_PIECE]
            for word in encoded
        ]

    def table(self) -> "Vectors":
        """Return the vectors of all pieces, a row each."""
        import numpy as np

        return np.asarray(self._loaded().embedding, dtype=np.float32)

    def _embed(self, texts: list[str]) -> "Vectors":
        import numpy as np

        if not texts:
            return np.zeros((0, _DIMENSIONS), dtype=np.float32)
        shortened = [encodable(text[:_LONGEST_TEXT]) or " " for text in texts]
        raw = np.asarray(self._loaded().embed(shortened, batch_size=_BATCH), dtype=np.float32)
        raw[[not text.strip() for text in shortened]] = 0.0
        lengths = np.linalg.norm(raw, axis=1, keepdims=True)
        return np.asarray(raw / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _loaded(self) -> "WordLlamaInference":
        with self._loading:
            if self._model is None:
                self._model = _load()
            return self._model


def _load() -> "WordLlamaInference":
    # Importing the package calls logging.basicConfig, which would print everybody's INFO lines: a root handler that
    # is already there makes that call do nothing.
    root = logging.getLogger()
    placeholder = logging.NullHandler()
    root.addHandler(placeholder)
    try:
        import wordllama
    finally:
        root.removeHandler(placeholder)
    logging.getLogger(_PACKAGE).setLevel(logging.WARNING)
    # The release looks for its tokenizer in a folder that the wheel calls otherwise; as `cache_dir` its own folder
    # has both the weights and the tokenizer, so that nothing is downloaded.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(dim=_DIMENSIONS, cache_dir=folder, disable_download=True)
