"""Port: an embedding model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.ports.vectors import Vectors


class EmbeddingProvider(Protocol):
    """Turns texts into vectors. The model's id is stored with them; vectors of two models are never mixed."""

    @property
    def model_id(self) -> str:
        """An id that contains the model, its version and its number of dimensions."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector a text; a text without any known token gives zeros. Never blocks the event loop.

        Raises:
            LLMError: the model's server gave no usable answer, or its files are broken.
        """

    async def close(self) -> None:
        """Close connections."""
