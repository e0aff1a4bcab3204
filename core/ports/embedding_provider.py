"""Port: what makes vectors of texts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.ports.vectors import Vectors


class EmbeddingProvider(Protocol):
    """Turns texts into vectors. The model's id is stored with them; vectors of two models are never mixed."""

    @property
    def model_id(self) -> str:
        """Names the model, its version and its number of dimensions."""

    async def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one unit vector a text; a text without any known token gives zeros. Never blocks the event loop.

        Raises:
            LLMError: the model is on a server that gave no usable answer.
        """

    async def close(self) -> None:
        """Let go of connections."""
