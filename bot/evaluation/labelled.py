"""Reads labelled files (JSON Lines) and folders of labelled books, for all evaluations."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.domain.errors import BookError, BookErrorCode

NOTES: Final = "notes.jsonl"
_TEXTS: Final = ("book.txt", "novel.txt")


def rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where each line of a file stands, and the object in it; an empty one where there is none.

    Raises:
        BookError: the file cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise unreadable(f"{file} cannot be read.") from None
    for number, row in enumerate(text.splitlines(), start=1):
        if row.strip():
            yield f"{file}, line {number}", _object(row)


def book_in(folder: Path, labels: str) -> tuple[Path, Path]:
    """Return the text of a labelled book's folder, and its labels. Raises BookError."""
    text = next((path for name in _TEXTS if (path := folder / name).is_file()), None)
    if text is None or not (folder / labels).is_file():
        raise unreadable(f"{folder} is not a labelled book: it needs {' or '.join(_TEXTS)}, and {labels}.")
    return text, folder / labels


def is_page(value: object) -> bool:
    """Whether a value is the number of a page."""
    return type(value) is int and value >= 1


def unreadable(sentence: str) -> BookError:
    """Return the error of a file that is not as it should be."""
    return BookError(BookErrorCode.UNREADABLE, sentence)


def _object(row: str) -> dict[str, Any]:
    try:
        told = json.loads(row)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
