"""Finds damage in SQLite's files before they are opened: SQLite silently truncates a damaged log.

The log's format is SQLite's (https://www.sqlite.org/fileformat2.html#the_write_ahead_log): a header, then frames of one
page each, with checksums that continue from frame to frame.
"""

import struct
import time
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from core.domain.errors import StorageError

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""The magic numbers, with the byte order of the checksums."""
_WORD: Final = 0xFFFFFFFF
_ONCE_MORE_S: Final = 0.2
_FRAMES: Final = 64
_TELL_EMPTY: Final = (
    "The database {path} is an empty file. Restore a backup (`thusfar restore`), or remove the file to start again."
)
_TELL_DAMAGED: Final = (
    "The write-ahead log {path}-wal is damaged ({why}): restore a backup (`thusfar restore`), or remove that file to "
    "go on without what stands in it alone."
)

Checksum = tuple[int, int]


def damage_of(path: Path, *, frames: int | None = _FRAMES) -> str | None:
    """Return what is wrong with a database's files, in a sentence; None if nothing is, or there are no files.

    The first `frames` of the log are checked, all with None. Raises OSError if the files can't be read.
    """
    if not path.exists():
        return None
    if path.stat().st_size == 0:
        return _TELL_EMPTY.format(path=path)
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or log.stat().st_size < _HEADER:
        return None
    with log.open("rb") as file:
        why = _damage_of_log(file, frames)
    return None if why is None else _TELL_DAMAGED.format(path=path, why=why)


def refuse_damaged(path: Path, *, lock_path: Path, thoroughly: bool = False) -> None:
    """Check a database's files before they are opened; `thoroughly` may take a fraction of a second.

    Files that another process is creating or writing are checked a second time.

    Raises:
        StorageError: the database is an empty file, or its log is damaged.
    """
    look = partial(damage_of, path, frames=None if thoroughly else _FRAMES)
    try:
        if look() is None:
            return
        from filelock import FileLock

        with FileLock(lock_path):
            time.sleep(_ONCE_MORE_S)
            sentence = look()
    except OSError as error:
        raise StorageError(f"The database {path} cannot be read ({error.strerror}).") from error
    if sentence is not None:
        raise StorageError(sentence)


def _damage_of_log(file: BinaryIO, frames: int | None) -> str | None:
    header = file.read(_HEADER)
    magic, _, page_size, _, salts, first, second = struct.unpack(">IIII8sII", header)
    order = _MAGIC.get(magic)
    if order is None or _checksum(header[:_FRAME_HEADER], (0, 0), order) != (first, second):
        return "its header does not fit"
    running: Checksum | None = (first, second)
    broken_at = 0
    size = _FRAME_HEADER + page_size
    for number, frame in enumerate(islice(iter(lambda: file.read(size), b""), frames), 1):
        if len(frame) < size or frame[8:16] != salts:
            break  # the rest belongs to an earlier log, or was being written when its process ended
        if running is None:
            if int.from_bytes(frame[4:8]) > 0:
                return f"frame {broken_at} does not fit, and a transaction follows it"
            continue
        running = _checksum(frame[_FRAME_HEADER:], _checksum(frame[:8], running, order), order)
        if running != struct.unpack(">II", frame[16:24]):
            running, broken_at = None, number
    return None


def _checksum(data: bytes, running: Checksum, order: str) -> Checksum:
    first, second = running
    for left, right in struct.iter_unpack(f"{order}II", data):
        first = (first + left + second) & _WORD
        second = (second + right + first) & _WORD
    return first, second
