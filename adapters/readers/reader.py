"""What the readers of single formats have in common; picked by `choose.reader_for`."""

from pathlib import Path
from typing import Protocol

from core.domain.book import BookText


class FileReader(Protocol):
    """Reads one kind of file, in this process and thread: what `IsolatedBookReader` does elsewhere, within limits."""

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` win over what the file says.

        Raises:
            BookError: the file cannot be read as a book (one sentence: what is wrong, what would be right).
        """
