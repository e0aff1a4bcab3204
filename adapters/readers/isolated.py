"""Reads a book in a separate process, with limits on time and memory; used for imports.

A hostile file may try to exhaust or crash its reader. Here it can affect only one process, which is killed when time is
up, when the import is cancelled, or by its own limits; the bot goes on answering. Short plain texts are read in a
thread, since their length limits the effort.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from adapters.readers.choose import endings_of, reader_for
from adapters.readers.files import DEFAULT_MAX_BYTES, unreadable
from adapters.readers.formats import MARKDOWN_ENDINGS, TEXT_ENDINGS, FileReader
from adapters.readers.naming import shown_name
from adapters.readers.wire import HEADER, MOST_BYTES, FrameKind, told_book, told_error, told_progress
from core.domain.book import BookText
from core.domain.errors import BookError, BookErrorCode
from core.ports.book_reader import BookReader, ReadingProgress

_log = logging.getLogger(__name__)

_PIPE_BYTES: Final = 65_536
_SHORT_TEXT: Final = 1_000_000
_MEGABYTE: Final = 1_048_576
_SHORT_MEMORY: Final = 3_000 * _MEGABYTE
_LOOK_S: Final = 0.05
_TEXTS: Final = (TEXT_ENDINGS, MARKDOWN_ENDINGS)
# The process gets this process's module path, however it was started.
_PROGRAM: Final = "import sys; sys.path[:] = {path!r}; from adapters.readers.worker import main; main(sys.argv[1])"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """The limits for one file: wall-clock and processor seconds, megabytes of memory; and how many files at once."""

    seconds: float = 60
    cpu_seconds: int = 45
    megabytes: int = 600
    at_once: int = field(default_factory=lambda: 1 if _is_memory_short() else 2)


class IsolatedBookReader(BookReader):
    """Reads every kind of book that `choose.reader_for` knows."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES, limits: ReadingLimits | None = None) -> None:
        self._max_bytes = max_bytes
        self._limits = limits or ReadingLimits()
        self._turns = asyncio.Semaphore(self._limits.at_once)

    async def read(
        self,
        path: Path,
        *,
        title: str | None = None,
        author: str | None = None,
        on_progress: ReadingProgress | None = None,
    ) -> BookText:
        """Read the file; cancelling kills the process.

        Raises:
            BookError: the file can't be read as a book, or not within the limits.
        """
        reader, order = await asyncio.to_thread(self._prepared, path, title, author)
        if reader is not None:
            return await asyncio.to_thread(reader.read, path, title=title, author=author)
        async with self._turns:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _PROGRAM.format(path=sys.path),
                order,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
            watching = asyncio.create_task(_watch_memory(process, self._limits.megabytes))
            try:
                async with asyncio.timeout(self._limits.seconds):
                    return await _receive(process, shown_name(path), on_progress)
            except TimeoutError as error:
                message = (
                    f"{shown_name(path)} takes over {self._limits.seconds:g} s to read; give a simpler copy of it."
                )
                raise BookError(BookErrorCode.TOO_LARGE, message) from error
            finally:
                watching.cancel()
                await _kill_and_wait(process)

    def _prepared(self, path: Path, title: str | None, author: str | None) -> tuple[FileReader | None, str]:
        """Return the reader for a short text, or None and the request for the process. Raises BookError."""
        endings = endings_of(path, max_bytes=self._max_bytes)
        if endings in _TEXTS and path.stat().st_size <= _SHORT_TEXT:
            return reader_for(path, max_bytes=self._max_bytes), ""
        order = {
            "path": str(path.absolute()),
            "title": title,
            "author": author,
            "max_bytes": self._max_bytes,
            "seconds": self._limits.cpu_seconds,
            "megabytes": self._limits.megabytes,
        }
        return None, json.dumps(order)


async def _watch_memory(process: asyncio.subprocess.Process, megabytes: int) -> None:
    """Kill the process when it and its children use too much memory together; each also has its own limit."""
    while process.returncode is None:
        if await asyncio.to_thread(_held_by, process.pid) > megabytes * _MEGABYTE:
            _kill(process)
            return
        await asyncio.sleep(_LOOK_S)


def _held_by(pid: int) -> int:
    """Return the bytes of memory used by a process and its children; 0 if the system doesn't tell."""
    held, pids = 0, [pid]
    for each in pids:
        with suppress(OSError, ValueError):
            folder = Path(f"/proc/{each}")
            held += int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            pids += map(int, (folder / "task" / str(each) / "children").read_text().split())
    return held


def _is_memory_short() -> bool:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < _SHORT_MEMORY
    except (AttributeError, OSError, ValueError):
        return True


async def _receive(process: asyncio.subprocess.Process, name: str, on_progress: ReadingProgress | None) -> BookText:
    """Return the book that the process sends. Raises BookError: its error, or that it died."""
    while True:
        kind, payload = await _frame(process, name)
        match kind:
            case FrameKind.PROGRESS:
                if on_progress is not None:
                    told_progress(payload, on_progress)
            case FrameKind.ERROR:
                raise told_error(payload)
            case FrameKind.BOOK:
                return await asyncio.to_thread(told_book, payload)


async def _frame(process: asyncio.subprocess.Process, name: str) -> tuple[FrameKind, bytes]:
    out = process.stdout
    if out is None:
        raise RuntimeError("the process was started without a pipe")
    try:
        kind, length = HEADER.unpack(await out.readexactly(HEADER.size))
        if length > MOST_BYTES:
            raise BookError(BookErrorCode.TOO_LARGE, f"{name} holds more text than any book; give one book.")
        return FrameKind(kind), await out.readexactly(length)
    except asyncio.IncompleteReadError as error:
        status = await process.wait()
        _log.warning("Reading %s failed: exit status %s", name, status)
        raise unreadable(
            f"{name} is damaged or too complex: reading it broke off; give another copy of the book."
        ) from error


async def _kill_and_wait(process: asyncio.subprocess.Process) -> None:
    """Kill the process and its children, and wait for the end, even if the reading is cancelled."""
    _kill(process)
    await asyncio.shield(_wait_for_end(process))


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


async def _wait_for_end(process: asyncio.subprocess.Process) -> None:
    """Wait for the end, and drain the pipe, since a full one keeps it open."""
    if process.stdout is not None:
        while await process.stdout.read(_PIPE_BYTES):
            pass
    await process.wait()
