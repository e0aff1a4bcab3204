"""Port: what was worked out of a book's text, kept beside the database so that it is loaded instead of built."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexName:
    """What is kept: of which text (its content hash), what kind of index, and which code and content it is made of."""

    content_hash: str
    kind: str
    version: str


class IndexFiles(Protocol):
    """Arrays of numbers, never objects. Everything here can be made anew: nothing fails for want of it.

    Pure work with files: callers do it off the event loop.
    """

    def load(self, name: IndexName) -> Arrays | None:
        """Return what was kept, to be read only; None where that is nothing, or damaged, or of another version."""

    def save(self, name: IndexName, arrays: Arrays) -> None:
        """Keep arrays in place of those of other versions; whoever reads meanwhile sees either."""

    def keep_only(self, content_hashes: Collection[str]) -> None:
        """Erase what is kept of all other texts."""
