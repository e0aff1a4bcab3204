"""Chooses the reader for a file by its ending and its first bytes; called by the import and its worker process.

Readers are imported when needed: their libraries are large, and only the worker process needs them all.
"""

from pathlib import Path

from adapters.readers.files import DEFAULT_MAX_BYTES, head_of, require_file, require_size, unreadable
from adapters.readers.formats import (
    EPUB_ENDINGS,
    HEAD_BYTES,
    MARKDOWN_ENDINGS,
    PDF_ENDINGS,
    TEXT_ENDINGS,
    BookFormat,
    FileReader,
    is_other_format,
    kind_of,
    misnamed,
    refused,
)
from adapters.readers.naming import shown_name

_FORMATS = (
    (EPUB_ENDINGS, (BookFormat.EPUB, BookFormat.ZIP)),
    (PDF_ENDINGS, (BookFormat.PDF,)),
    (TEXT_ENDINGS, (BookFormat.OTHER,)),
    (MARKDOWN_ENDINGS, (BookFormat.OTHER,)),
)


def reader_for(path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> FileReader:
    """Return the reader for the file.

    Raises:
        BookError: the file doesn't exist, is empty or too large, or no reader supports its kind or name.
    """
    endings = endings_of(path, max_bytes=max_bytes)
    if endings == EPUB_ENDINGS:
        from adapters.readers.epub.reader import EpubBookReader

        return EpubBookReader(max_bytes=max_bytes)
    if endings == PDF_ENDINGS:
        from adapters.readers.pdf.reader import PdfBookReader

        return PdfBookReader(max_bytes=max_bytes)
    if endings == MARKDOWN_ENDINGS:
        from adapters.readers.markdown import MarkdownBookReader

        return MarkdownBookReader(max_bytes=max_bytes)
    from adapters.readers.text import TextBookReader

    return TextBookReader(max_bytes=max_bytes)


def endings_of(path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[str, ...]:
    """Return the endings of a file's format, from its first bytes.

    Raises:
        BookError: as for `reader_for`.
    """
    require_file(path)
    name = shown_name(path)
    suffix = path.suffix.lower()
    fitting = next(((endings, kinds) for endings, kinds in _FORMATS if suffix in endings), None)
    if fitting is not None:
        require_size(path, max_bytes)
    kind = kind_of(head_of(path, HEAD_BYTES))
    if fitting is not None and kind in fitting[1]:
        return fitting[0]
    is_other = fitting is None and is_other_format(suffix, kind)
    raise unreadable(refused(name, suffix) if is_other else misnamed(name, suffix, kind))
