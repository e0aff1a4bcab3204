"""Port: turns a file into the text of a book."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.domain.book import BookText

ReadingProgress = Callable[[int, int], None]
"""Takes how many pages of a file are read, and how many there are."""


class BookReader(Protocol):
    """Reads files, without blocking the event loop."""

    async def read(
        self,
        path: Path,
        *,
        title: str | None = None,
        author: str | None = None,
        on_progress: ReadingProgress | None = None,
    ) -> BookText:
        """Read the file. `title` and `author` override those in the file. Cancelling stops the work.

        Raises:
            BookError: the file cannot be read as a book (one sentence: what is wrong, what would be right).
        """


BookReaderFor = Callable[[Path], BookReader]
"""Picks the reader for a file; raises BookError where there is none."""
