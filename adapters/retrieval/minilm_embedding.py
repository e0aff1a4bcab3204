"""MiniLM, a small model that knows what sentences mean, from a folder on this machine: it asks nobody (ADR 3).

The folder is that of Chroma's own all-MiniLM-L6-v2 (ONNX, 384 numbers a vector); `thusfar embeddings get` fetches it.
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
"""Where Chroma keeps the model, under the home of whoever runs the program."""

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
        """Raises SettingsError where the model's file cannot be read."""
        self._folder = folder
        self._workers = workers
        self._model_id = f"minilm-{_fingerprint(folder / MODEL_FILE)}-{_DIMENSIONS}"
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None
        self._loading = threading.Lock()

    @property
    def model_id(self) -> str:
        """Names the model, its file (there are several, which differ in the last digits) and its dimensions."""
        return self._model_id

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return _DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector a text; a text of nothing but white space gives zeros.

        Raises:
            LLMError: the files are no such model.
        """
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._embed, list(texts))

    async def close(self) -> None:
        """There is nothing to let go of."""

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
    # A question is a few words: threads that wait for each other would cost more than they save.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        session = InferenceSession(str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare Exceptions of their own making
        cause = f"the embedding model in {folder} cannot be used: {str(error)[:200]}"
        raise LLMError(LLMErrorCode.UNAVAILABLE, cause) from error
    tokenizer.enable_truncation(max_length=_MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer, session


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Give the places of texts that are looked at together: those of like length, since shorter ones are filled up."""
    in_order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(in_order), _BATCH):
        yield in_order[start : start + _BATCH]


def _fingerprint(path: Path) -> str:
    """Return what tells one model's file from another: a hash of its length and of samples, since it is large."""
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
