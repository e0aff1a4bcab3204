"""The reader for a file, by its ending; the wiring hands this to the import."""

from pathlib import Path

from adapters.readers.decoding import DEFAULT_MAX_BYTES
from adapters.readers.markdown import MarkdownBookReader
from adapters.readers.text import TextBookReader
from core.domain.errors import BookError, BookErrorCode
from core.ports.book_reader import BookReader


def reader_for(path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> BookReader:
    """Return the reader for the file.

    Raises:
        BookError: no reader takes files with this ending.
    """
    readers: tuple[BookReader, ...] = (
        TextBookReader(max_bytes=max_bytes),
        MarkdownBookReader(max_bytes=max_bytes),
    )
    suffix = path.suffix.lower()
    for reader in readers:
        if suffix in reader.suffixes:
            return reader
    known = ", ".join(suffix for reader in readers for suffix in sorted(reader.suffixes, reverse=True))
    what = f"files ending in {suffix}" if suffix else "files without an ending"
    message = f"{path.name} cannot be read: {what} are not known; what can be read are {known}."
    raise BookError(BookErrorCode.UNREADABLE, message)
