"""Writes a book file and reads it back; called by the tests of the readers."""

from pathlib import Path

from adapters.readers.choose import reader_for
from core.domain.book import BookText


def read_back(folder: Path, content: str | bytes, name: str = "book.txt") -> BookText:
    """Return what the reader for `name` makes of the content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return reader_for(path).read(path)


def prose(words: int) -> str:
    """Return one paragraph of sentences of ten words."""
    sentence = "Then the old man walked on down to the sea."
    return " ".join([sentence] * (words // 10))
