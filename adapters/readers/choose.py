"""The reader for a file, by its ending; the wiring hands this to the import."""

from pathlib import Path

from adapters.readers.decoding import DEFAULT_MAX_BYTES
from adapters.readers.files import require_file, unreadable
from adapters.readers.formats import KNOWN, LATER_ENDINGS, NOT_YET
from adapters.readers.markdown import MarkdownBookReader
from adapters.readers.naming import clean_name, shown_name
from adapters.readers.text import TextBookReader
from core.ports.book_reader import BookReader


def reader_for(path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> BookReader:
    """Return the reader for the file.

    Raises:
        BookError: there is no such file, or no reader takes files with this ending.
    """
    require_file(path)
    readers: tuple[BookReader, ...] = (
        TextBookReader(max_bytes=max_bytes),
        MarkdownBookReader(max_bytes=max_bytes),
    )
    suffix = path.suffix.lower()
    for reader in readers:
        if suffix in reader.suffixes:
            return reader
    what = f"files ending in {clean_name(suffix)} are" if suffix else "files without an ending are"
    why = NOT_YET if suffix in LATER_ENDINGS else f"{what} not known, only {KNOWN} can be read"
    raise unreadable(f"{shown_name(path)} is no book that can be read here: {why}.")
