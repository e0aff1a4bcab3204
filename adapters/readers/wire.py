"""The protocol of the worker process: frames with a kind, a length and JSON; used at both ends of the pipe."""

import json
import struct
from collections.abc import Callable
from dataclasses import asdict
from enum import Enum
from typing import Final

from core.domain.book import BookText, Chapter, OutsidePart, Page, PageSource, PartRole, Work
from core.domain.errors import BookError, BookErrorCode

HEADER: Final = struct.Struct(">cI")
MOST_BYTES: Final = 64_000_000
_MOST_LETTERS: Final = 8_000_000
"""What can be indexed within a minute; the seven volumes of Proust have 7.5 million."""


class FrameKind(Enum):
    """The content of a frame: progress, the book, or an error."""

    PROGRESS = b"p"
    BOOK = b"b"
    ERROR = b"e"


def frame(kind: FrameKind, payload: bytes) -> bytes:
    """Return a frame as it is sent through the pipe."""
    return HEADER.pack(kind.value, len(payload)) + payload


def progress_frame(done: int, total: int) -> bytes:
    """Return a frame with the number of pages read."""
    return frame(FrameKind.PROGRESS, json.dumps([done, total]).encode())


def error_frame(error: BookError) -> bytes:
    """Return a frame with the reason why there is no book."""
    return frame(FrameKind.ERROR, json.dumps([error.code, str(error)]).encode())


def book_frame(book: BookText, name: str) -> bytes:
    """Return a frame with the book. Raises BookError if it is too long."""
    letters = sum(len(page.text) for page in book.pages)
    if letters > _MOST_LETTERS:
        raise BookError(
            BookErrorCode.TOO_LARGE,
            f"{name} has {letters / 1_000_000:.1f} million letters; I read up to {_MOST_LETTERS // 1_000_000} million. "
            "Send one volume at a time.",
        )
    return frame(FrameKind.BOOK, json.dumps(asdict(book), ensure_ascii=True).encode("ascii"))


def told_progress(payload: bytes, tell: Callable[[int, int], None]) -> None:
    """Pass on the content of a progress frame."""
    done, total = json.loads(payload)
    tell(int(done), int(total))


def told_error(payload: bytes) -> BookError:
    """Return the error of an error frame."""
    code, message = json.loads(payload)
    return BookError(BookErrorCode(code), str(message))


def told_book(payload: bytes) -> BookText:
    """Return the book of a book frame."""
    told = json.loads(payload)
    parts = {
        "page_source": PageSource(told["page_source"]),
        "pages": tuple(Page(**each) for each in told["pages"]),
        "chapters": tuple(Chapter(**{**each, "path": tuple(each["path"])}) for each in told["chapters"]),
        "outside": tuple(OutsidePart(**{**each, "role": PartRole(each["role"])}) for each in told["outside"]),
        "works": tuple(Work(**each) for each in told["works"]),
    }
    return BookText(**{**told, **parts})
