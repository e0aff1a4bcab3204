"""MiniLM, a small sentence-embedding model, from a folder on this machine; it makes no network calls (ADR 3).

The folder is that of Chroma's all-MiniLM-L6-v2 (ONNX, 384 dimensions); `thusfar embeddings get` downloads it.
"""

import asyncio
import hashlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.domain.errors import LLMError, LLMErrorCode, SettingsError
from core.language.sentences import encodable
from core.ports.embedding_provider import EmbeddingProvider

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from core.ports.vectors import Vectors

USUAL_FOLDER: Final = Path(".cache", "chroma", "onnx_models", "all-MiniLM-L6-v2", "onnx")
"""Chroma's folder for the model, relative to the user's home."""

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"

_DIMENSIONS: Final = 384
_MOST_TOKENS: Final = 256
_LONGEST_TEXT: Final = 8_000
_BATCH: Final = 16
_SAMPLES: Final = 16
_SAMPLE_BYTES: Final = 4_096


def minilm_is_in(folder: Path) -> bool:
    """Whether a folder has the model and its tokenizer."""
    return (folder / MODEL_FILE).is_file() and (folder / TOKENIZER_FILE).is_file()


class MiniLmEmbeddingProvider(EmbeddingProvider):
    """384 dimensions, some 30 sentences a second and core while a book is embedded; loaded at first use."""

    def __init__(self, folder: Path, *, workers: Executor) -> None:
        """Raise SettingsError if the model's file can't be read."""
        self._folder = folder
        self._workers = workers
        self._model_id = f"minilm-{_fingerprint(folder / MODEL_FILE)}-{_DIMENSIONS}"
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None
        self._loading = threading.Lock()

    @property
    def model_id(self) -> str:
        """The model, its file (there are several, which differ in the last digits) and its dimensions."""
        return self._model_id

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return _DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector per text; a blank text gives zeros.

        Raises:
            LLMError: the files are not a valid model.
        """
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._embed, list(texts))

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _embed(self, texts: list[str]) -> "Vectors":
        import numpy as np

        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        tokenizer, session = self._model()
        known = [place for place, text in enumerate(texts) if text.strip()]
        encoded = tokenizer.encode_batch([encodable(texts[place][:_LONGEST_TEXT]) for place in known])
        for rows in _batches([len(each.ids) for each in encoded]):
            longest = max(len(encoded[row].ids) for row in rows)
            ids = np.zeros((len(rows), longest), dtype=np.int64)
            counts = np.zeros((len(rows), longest), dtype=np.int64)
            for at, row in enumerate(rows):
                ids[at, : len(encoded[row].ids)] = encoded[row].ids
                counts[at, : len(encoded[row].ids)] = 1
            given = {"input_ids": ids, "attention_mask": counts, "token_type_ids": np.zeros_like(ids)}
            hidden = np.asarray(session.run(None, given)[0], dtype=np.float32)
            means = (hidden * counts[:, :, None]).sum(axis=1)
            lengths = np.linalg.norm(means, axis=1, keepdims=True)
            vectors[[known[row] for row in rows]] = means / np.where(lengths > 0, lengths, 1.0)
        return vectors

    def _model(self) -> "tuple[Tokenizer, InferenceSession]":
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded


def _load(folder: Path) -> "tuple[Tokenizer, InferenceSession]":
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    options = SessionOptions()
    # A question has few words: several threads would cost more than they save.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        session = InferenceSession(str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare Exceptions
        cause = f"the embedding model in {folder} cannot be used: {str(error)[:200]}"
        raise LLMError(LLMErrorCode.UNAVAILABLE, cause) from error
    tokenizer.enable_truncation(max_length=_MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer, session


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indexes of texts for one batch: texts of similar length, since shorter ones are padded."""
    in_order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(in_order), _BATCH):
        yield in_order[start : start + _BATCH]


def _fingerprint(path: Path) -> str:
    """Return a fingerprint of a model's file: a hash of its length and of samples, since it is large."""
    try:
        size = path.stat().st_size
        digest = hashlib.sha256(str(size).encode())
        with path.open("rb") as file:
            for sample in range(_SAMPLES):
                file.seek(size * sample // _SAMPLES)
                digest.update(file.read(_SAMPLE_BYTES))
    except OSError as error:
        raise SettingsError(f"The embedding model {path} cannot be read ({error.strerror}).") from error
    return digest.hexdigest()[:8]
