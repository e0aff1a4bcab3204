"""Port: turns a file into the text of a book."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.domain.book import BookText


class BookReader(Protocol):
    """Reads one kind of file. Pure work on the CPU: callers run it off the event loop."""

    @property
    def suffixes(self) -> frozenset[str]:
        """File endings in lower case, with the dot."""

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` win over what the file says.

        Raises:
            BookError: the file cannot be read as a book (one sentence: what is wrong, what would be right).
        """


BookReaderFor = Callable[[Path], BookReader]
"""Picks the reader for a file; raises BookError where there is none."""
