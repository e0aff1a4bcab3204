"""Dated copies of SQLite's database, made before a restore or an upgrade: never overwritten, the newest three stay."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import Final

from adapters.persistence import sqlite

_KEPT: Final = 3
_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"


def copy_before_change(path: Path, connection: sqlite3.Connection | None = None) -> Path:
    """Copy the database, through a connection if there is one; return the copy. Raises StorageError."""
    copy = _free_name(path)
    if connection is not None:
        sqlite.copy_to(connection, copy)
        return copy
    with closing(sqlite.read_only(path)) as own:
        sqlite.copy_to(own, copy)
    return copy


def copy_files(path: Path) -> Path | None:
    """Copy files that SQLite can't read, byte for byte, the log with its database. Raises OSError."""
    copy = _free_name(path)
    there = [end for end in sqlite.FILES if sqlite.beside(path, end).exists()]
    for end in reversed(there):  # the database last: if it exists, all do
        part = sqlite.beside(copy, ".part")
        shutil.copyfile(sqlite.beside(path, end), part)
        part.replace(sqlite.beside(copy, end))
    return copy if there else None


def keep_newest(path: Path, *, also: Path) -> None:
    """Delete all safety copies but the newest, and unfinished ones of killed runs; never delete `also`."""
    copies = sorted(path.parent.glob(f"{escape(path.name)}.before-*Z"), reverse=True)
    for old in copies[_KEPT:]:
        if not (also.exists() and old.samefile(also)):
            sqlite.remove(old)
    for part in path.parent.glob(f"{escape(path.name)}.before-*.part*"):
        part.unlink(missing_ok=True)


def _free_name(path: Path) -> Path:
    while True:
        name = sqlite.beside(path, f".before-{datetime.now(UTC).strftime(_STAMP)}")
        if not os.path.lexists(name):
            return name
