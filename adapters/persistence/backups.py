"""Backs up and restores SQLite's database; a restore is checked first, then done in one step.

Everything that can fail (the copy, its check and upgrade, the safety copy) comes before one rename, so a crash leaves
the old database or the new one.
"""

import fcntl
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError

from adapters.persistence import sqlite
from adapters.persistence.damage import damage_of
from adapters.persistence.database import sqlite_file
from adapters.persistence.migrate import upgrade
from adapters.persistence.safety_copies import copy_before_change, copy_files, keep_newest
from adapters.persistence.soundness import refuse_unsound
from core.domain.errors import StorageError

_IN_USE: Final = "Another process uses {path}: stop it first (`thusfar serve`, `web`, `chat` or `work`)."
# Where SQLite's readers hold their lock (https://www.sqlite.org/fileformat2.html#the_lock_byte_page).
_SHARED_FIRST: Final = 0x40000002
_SHARED_SIZE: Final = 510


def back_up(url: str, to: Path) -> None:
    """Copy a database as it is at one moment, while others may write; an existing file is replaced at the end.

    Raises:
        StorageError: the copy can't be made, the database is damaged, or it is PostgreSQL.
    """
    path = sqlite_file(url)
    if path is None:
        where = make_url(url).set(query={}).render_as_string()
        raise StorageError(f"PostgreSQL has its own way: pg_dump --format=custom --file={to} {where}")
    refuse_unsound(path, told_as=path)
    with closing(sqlite.read_only(path)) as source:
        sqlite.copy_to(source, to)


def restore(url: str, backup: Path) -> Path | None:
    """Replace the database at an address with a backup; return the safety copy of the old one, if there was one.

    Raises:
        StorageError: the backup is damaged or newer than this program; the database is in use, or PostgreSQL; or the
            disk is full. Nothing has changed then.
    """
    path = sqlite_file(url)
    if path is None:
        raise StorageError("PostgreSQL has its own way: pg_restore --clean --if-exists --dbname=ADDRESS FILE")
    if not backup.is_file():
        raise StorageError(f"There is no file {backup}.")
    part = sqlite.beside(path, ".restoring")
    try:
        if path.exists():
            _refuse_in_use(path)
        _prepare(backup, part)
        kept = _put_in_place(part, path)
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"{path} can't be replaced ({sqlite.why(error)}). Nothing has changed.") from error
    finally:
        sqlite.remove(part)
    keep_newest(path, also=backup)
    return kept


def _prepare(backup: Path, part: Path) -> None:
    """Copy a backup, check the copy and upgrade its schema."""
    try:
        with closing(sqlite.read_only(backup)) as source:
            sqlite.copy_to(source, part)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{backup} can't be used: it can't be read ({sqlite.why(error)}).") from error
    refuse_unsound(part, told_as=backup)
    engine = create_engine(URL.create("sqlite", database=str(part)))
    sqlite.prepare(engine)
    try:
        upgrade(engine)
    except (SQLAlchemyError, StorageError) as error:
        raise StorageError(f"{backup} can't be used: it can't be upgraded ({sqlite.why(error)}).") from error
    finally:
        engine.dispose()
    sqlite.settled(part).close()
    refuse_unsound(part, told_as=backup)


def _put_in_place(part: Path, path: Path) -> Path | None:
    live = _alone(path)
    if live is not None:
        with closing(live):  # keeps others out until the rename
            kept = copy_before_change(path, live)
            part.replace(path)
        return kept
    copied = copy_files(path)
    log = sqlite.beside(path, "-wal")
    if log.exists() and path.exists():
        # Neither may be opened without the other: the program refuses to start with an empty file.
        empty = sqlite.beside(path, ".empty")
        empty.touch()
        empty.replace(path)
    for end in sqlite.FILES[1:]:
        sqlite.beside(path, end).unlink(missing_ok=True)
    part.replace(path)
    return copied


def _alone(path: Path) -> sqlite3.Connection | None:
    """Return a connection that keeps all others out of the database; None if SQLite can't read it."""
    if not path.exists() or damage_of(path, frames=None) is not None:
        return None
    try:
        connection = sqlite.settled(path)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        connection.executescript("BEGIN EXCLUSIVE; COMMIT")  # SQLite can't copy within a writing transaction
    except sqlite3.OperationalError as error:
        if sqlite.is_busy(error):
            raise StorageError(_IN_USE.format(path=path)) from error
        raise
    except sqlite3.DatabaseError:
        return None
    return connection


def _refuse_in_use(path: Path) -> None:
    """Raise StorageError if another process has the database open; the system is asked, so damaged files work too."""
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
        except OSError as error:
            raise StorageError(_IN_USE.format(path=path)) from error
