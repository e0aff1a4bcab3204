"""Port: what single words mean, as static vectors that hang on no text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.ports.vectors import Vectors


class WordVectors(Protocol):
    """A word is a mean of pieces of a fixed table, so that books need to keep numbers of pieces only.

    Pure work on the CPU, the first call loads the table: callers run it off the event loop.
    """

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return for each word the rows of the table that it is made of, at least one."""

    def rows(self, pieces: "Sequence[int] | NDArray[np.integer[Any]]") -> "Vectors":
        """Return the vectors of pieces, a row each, not of unit length: what tells little is short."""
