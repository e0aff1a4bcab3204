"""Port: static vectors of single words, independent of any text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.ports.vectors import Vectors


class WordVectors(Protocol):
    """Makes the vector of a word as the mean of rows of a fixed table, so that books store only row numbers.

    CPU work, and the first call loads the table: call it off the event loop.
    """

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return for each word the row numbers that it is made of, at least one."""

    def rows(self, pieces: "Sequence[int] | NDArray[np.integer[Any]]") -> "Vectors":
        """Return the rows with these numbers. They are not of unit length: common pieces are shorter."""
