"""The process that reads one file and exits; started by `isolated`, with resource limits.

It writes frames (`wire`) and nothing else; any error other than a `BookError` shows in its exit status.
"""

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import BinaryIO, Final

from adapters.readers.choose import reader_for
from adapters.readers.naming import shown_name
from adapters.readers.pdf.reader import PdfBookReader
from adapters.readers.wire import book_frame, error_frame, progress_frame
from core.domain.errors import BookError, BookErrorCode

_MEGABYTE: Final = 1024 * 1024
_MOST_PROCESSES: Final = 2


def main(order: str) -> None:
    """Read the file that the order (JSON) names, within its limits."""
    told = json.loads(order)
    _limit(seconds=told["seconds"], megabytes=told["megabytes"])
    # A library's prints must not come between the frames.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    path = Path(told["path"])
    try:
        out.write(_outcome(path, told, out))
        out.flush()
    except MemoryError:
        message = f"{shown_name(path)} needs over {told['megabytes']} MB of memory to read; send a simpler copy of it."
        out.write(error_frame(BookError(BookErrorCode.TOO_LARGE, message)))
        out.flush()


def _outcome(path: Path, told: dict[str, object], out: BinaryIO) -> bytes:
    title, author, max_bytes = told["title"], told["author"], told["max_bytes"]

    def tell(done: int, total: int) -> None:
        out.write(progress_frame(done, total))
        out.flush()

    try:
        if not isinstance(max_bytes, int):
            raise TypeError(max_bytes)
        reader = reader_for(path, max_bytes=max_bytes)
        if isinstance(reader, PdfBookReader):
            reader = PdfBookReader(max_bytes=max_bytes, processes=_processes(), on_progress=tell)
        book = reader.read(
            path,
            title=title if isinstance(title, str) else None,
            author=author if isinstance(author, str) else None,
        )
        return book_frame(book, shown_name(path))
    except BookError as error:
        return error_frame(error)


def _processes() -> int:
    return min(_MOST_PROCESSES, os.cpu_count() or 1)


def _limit(*, seconds: int, megabytes: int) -> None:
    """Limit processor time and memory where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the time limit of `isolated` applies everywhere
        return
    limits = ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes * _MEGABYTE), (resource.RLIMIT_CORE, 0))
    for what, most in limits:
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(what)
            resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
