"""The protocol of the worker process: frames with a kind, a length and JSON; used at both ends of the pipe."""

import json
import struct
from collections.abc import Callable
from enum import Enum
from typing import Final

from core.domain.book import BookText, Chapter, OutsidePart, Page, PageSource, PartRole
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
    fields = {
        "title": book.title,
        "author": book.author,
        "pages": [[page.text, page.label, page.start_offset] for page in book.pages],
        "chapters": [[one.title, one.first_page, one.last_page, one.path] for one in book.chapters],
        "page_source": book.page_source,
        "story": [book.first_story_page, book.last_story_page],
        "outside": [[one.role, one.title, one.first_page, one.last_page, one.why] for one in book.outside],
    }
    return frame(FrameKind.BOOK, json.dumps(fields, ensure_ascii=True).encode("ascii"))


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
    fields = json.loads(payload)
    first, last = fields["story"]
    return BookText(
        title=fields["title"],
        author=fields["author"],
        pages=tuple(
            Page(number=number, text=text, label=label, start_offset=offset)
            for number, (text, label, offset) in enumerate(fields["pages"], 1)
        ),
        chapters=tuple(
            Chapter(number=number, title=title, first_page=begin, last_page=end, path=tuple(path))
            for number, (title, begin, end, path) in enumerate(fields["chapters"], 1)
        ),
        page_source=PageSource(fields["page_source"]),
        first_story_page=first,
        last_story_page=last,
        outside=tuple(
            OutsidePart(role=PartRole(role), title=title, first_page=begin, last_page=end, why=why)
            for role, title, begin, end, why in fields["outside"]
        ),
    )
