"""Port: files of computed indexes of books, which load faster than they are built."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexName:
    """Identifies an index: the text's content hash, the kind of index, and the version of its code and content."""

    content_hash: str
    kind: str
    version: str


class IndexFiles(Protocol):
    """Stores arrays of numbers. All of them can be built again, so a missing file is never an error.

    Blocking file access: call it off the event loop.
    """

    def load(self, name: IndexName) -> Arrays | None:
        """Return the stored arrays, read-only; None if they are missing, damaged or of another version."""

    def save(self, name: IndexName, arrays: Arrays) -> None:
        """Store arrays in place of other versions, atomically for concurrent readers."""

    def keep_only(self, content_hashes: Collection[str]) -> None:
        """Delete the files of all other texts."""
