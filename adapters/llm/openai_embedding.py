"""Embeddings from OpenAI, or from a server with its embeddings API (Ollama, llama.cpp, vLLM)."""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from adapters.llm.openai_answer import read_json
from adapters.llm.openai_connection import OpenAIConnection, timeout_of
from adapters.llm.retrying import with_retries
from core.domain.errors import LLMError, LLMErrorCode, SettingsError
from core.domain.tool_use import Deadline
from core.ports.embedding_provider import EmbeddingProvider

if TYPE_CHECKING:
    from core.ports.vectors import Vectors

KNOWN_DIMENSIONS: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
_MOST_TEXTS = 64
_LONGEST_TEXT = 8_000
"""In bytes. A token of OpenAI's models has at least one byte, so no text exceeds their 8,192 tokens."""

_LARGEST_REQUEST = 120_000
"""In bytes of text; OpenAI allows 300,000 tokens a request."""

_QUERY_SECONDS = 10.0
_BATCH_SECONDS = 60.0
_QUERY_RETRIES = 1
_BATCH_RETRIES = 4


class OpenAIEmbeddingProvider(EmbeddingProvider):
    """Vectors of one model on one server.

    The id must be known before the first vector is stored, so that two kinds never mix. It names the server's host, the
    model and the number of dimensions, which is given or known, never guessed. An answer of another length is refused.
    """

    def __init__(
        self, *, api_key: str | None, model: str, base_url: str | None = None, dimensions: int | None = None
    ) -> None:
        """Store the settings; nothing is connected before the first call.

        Args:
            api_key: None if a compatible server needs none.
            model: the server's name for the model.
            base_url: the API's address, such as `http://localhost:11434/v1`; None for OpenAI's own.
            dimensions: the number of dimensions; None only for OpenAI's models that are known here.

        Raises:
            SettingsError: the number of dimensions is unknown.
        """
        known = KNOWN_DIMENSIONS.get(model)
        wanted = dimensions or known
        if wanted is None:
            raise SettingsError(f"The embedding model {model} needs its number of dimensions set.")
        self._connection = OpenAIConnection(api_key=api_key, base_url=base_url)
        self._model = model
        self._dimensions = wanted
        # OpenAI's newer models can shorten their vectors; few other servers know the parameter.
        self._asks_for_dimensions = self._connection.is_openai and known is not None and wanted != known

    @property
    def model_id(self) -> str:
        """Server, model and number of dimensions, in letters that every index accepts in its names."""
        server = "openai" if self._connection.is_openai else f"openai-{self._connection.host}"
        exact = f"{server}-{self._model}-{self._dimensions}"
        plain = re.sub(r"[^a-zA-Z0-9._-]+", "-", exact)
        return plain if plain == exact else f"{plain}-{hashlib.sha256(exact.encode()).hexdigest()[:8]}"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector per text; a blank text gives zeros and is not sent.

        Raises:
            LLMError: no usable answer within the call's own time budget, which is not the turn's.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for places in _batches(texts):
            batch = [_cut(texts[place]) for place in places]
            query = len(texts) == 1
            vectors[places] = await with_retries(
                lambda seconds, batch=batch: self._request(batch, seconds),  # type: ignore[misc]
                deadline=Deadline(
                    seconds=_QUERY_SECONDS if query else _BATCH_SECONDS,
                    retries=_QUERY_RETRIES if query else _BATCH_RETRIES,
                ),
            )
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()

    async def _request(self, texts: list[str], seconds: float) -> "Vectors":
        async with self._connection.calling() as (client, _):
            raw = await client.embeddings.with_raw_response.create(
                **self._parameters(texts), timeout=timeout_of(seconds)
            )
            return await asyncio.to_thread(_read_vectors, raw.content, len(texts), self._dimensions)

    def _parameters(self, texts: list[str]) -> dict[str, Any]:
        # The SDK asks for base64 by default, which not every server supports.
        parameters: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._asks_for_dimensions:
            parameters["dimensions"] = self._dimensions
        return parameters


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indexes of the texts of each request; blank texts are left out."""
    batch: list[int] = []
    size = 0
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        length = len(_cut(text).encode())
        if batch and (len(batch) == _MOST_TEXTS or size + length > _LARGEST_REQUEST):
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += length
    if batch:
        yield batch


def _cut(text: str) -> str:
    return text.encode("utf-8", "replace")[:_LONGEST_TEXT].decode("utf-8", "ignore")


def _read_vectors(content: bytes, count: int, dimensions: int) -> "Vectors":
    """Return the vectors in the order of the texts. Raises LLMError if one is missing or invalid."""
    import numpy as np

    body = read_json(content)
    items = body.get("data") if isinstance(body, dict) else None
    if not isinstance(items, list) or len(items) != count or not all(isinstance(item, dict) for item in items):
        raise _unusable(f"{len(items) if isinstance(items, list) else 'no'} vectors for {count} texts")
    indexes = [item.get("index", place) for place, item in enumerate(items)]
    if sorted(indexes, key=str) != sorted(range(count), key=str):
        raise _unusable("the vectors' numbers do not match the texts'")
    vectors = np.empty((count, dimensions), dtype=np.float64)
    for index, item in zip(indexes, items, strict=True):
        vector = item.get("embedding")
        if not isinstance(vector, list) or len(vector) != dimensions:
            length = f"{len(vector)} dimensions" if isinstance(vector, list) else "no list of numbers"
            raise _unusable(f"{length}, not {dimensions}")
        vectors[index] = vector
    if not np.isfinite(vectors).all():
        raise _unusable("numbers that are none")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _unusable(what: str) -> LLMError:
    return LLMError(LLMErrorCode.BAD_RESPONSE, f"the embeddings cannot be used: {what}")
