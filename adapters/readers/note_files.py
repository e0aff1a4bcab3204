"""Reads files of reading notes, or raises one sentence; called by `thusfar notes import`."""

import codecs
from pathlib import Path
from typing import Final

from adapters.readers.files import head_of, unreadable
from adapters.readers.naming import shown_name
from core.domain.errors import BookError, BookErrorCode

MAX_BYTES: Final = 20_000_000
"""Ten times the notes of the longest novels."""

_WIDE_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_note_file(path: Path, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of a file of notes.

    Raises:
        BookError: the file doesn't exist, can't be read, is empty or too large, or is not UTF-8.
    """
    name = shown_name(path)
    if path.is_dir():
        raise unreadable(f"{name} is a folder; give a file of notes.")
    data = head_of(path, max_bytes + 1)
    if len(data) > max_bytes:
        limit = f"{max_bytes / 1_000_000:g} MB"
        raise BookError(BookErrorCode.TOO_LARGE, f"{name} is larger than {limit}; no book has so many notes.")
    if not data.strip():
        raise BookError(BookErrorCode.EMPTY, f"{name} is empty; a file of notes has one of them a line.")
    try:
        return data.decode("utf-16" if data.startswith(_WIDE_MARKS) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise unreadable(f"{name} is no UTF-8 text (line {line}); save it as UTF-8.") from error
