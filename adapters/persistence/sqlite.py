"""SQLite with real transactions, one writer at a time, and readers that never wait; called by the database."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

from core.domain.errors import StorageError

NAME: Final = "sqlite"
_BUSY_TIMEOUT_S: Final = 30
_READ: Final = "BEGIN"
_WRITE: Final = "BEGIN IMMEDIATE"
_ONCE_MORE_S: Final = 0.01
_TO_TRUNCATE_S: Final = 1.0
_PRIMARY_CODE: Final = 0xFF  # of an extended error code
FILES: Final = ("", "-wal", "-shm")
"""The files of a database; a log belongs to its database only."""


def prepare(engine: Engine) -> None:
    """Configure every connection, and begin every transaction explicitly."""
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)


def truncate_log(path: Path) -> None:
    """Move the log into the database and truncate it, as far as no reader uses it."""
    with closing(sqlite3.connect(path, timeout=_TO_TRUNCATE_S)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def read_only(path: Path) -> sqlite3.Connection:
    """Connect to an existing file, its log included, for reading. Raises sqlite3.Error."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_TIMEOUT_S)


def settled(path: Path) -> sqlite3.Connection:
    """Connect to a database after moving its log into the file. Raises sqlite3.Error: others have it open."""
    connection = sqlite3.connect(path, timeout=_TO_TRUNCATE_S, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def copy_to(source: sqlite3.Connection, to: Path) -> None:
    """Copy a database as it is at one moment into one file, which is complete or absent.

    Raises:
        StorageError: the file can't be made, or another database is open there.
        sqlite3.Error: the source can't be read.
    """
    if to.exists() and not to.is_file():
        raise StorageError(f"{to} is no file that can be replaced: name another one.")
    if any(beside(to, end).exists() for end in FILES[1:]):
        raise StorageError(f"{to} is a database in use: name another file.")
    part = beside(to, ".part")
    try:
        remove(part)
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
        settled(part).close()
        part.replace(to)
    except (sqlite3.OperationalError, OSError) as error:
        raise StorageError(f"{to} can't be made ({why(error)}).") from error
    finally:
        remove(part)


def beside(path: Path, end: str) -> Path:
    """Return the path beside a file with this suffix."""
    return path.with_name(path.name + end)


def remove(path: Path) -> None:
    """Delete a database with all files that SQLite keeps beside it."""
    for end in (*FILES, "-journal"):
        beside(path, end).unlink(missing_ok=True)


def is_busy(error: sqlite3.OperationalError) -> bool:
    """Whether another connection holds the lock."""
    return error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY


def why(error: Exception) -> str:
    """Return the cause of an error in a few words."""
    cause = getattr(error, "orig", None) or error
    return getattr(cause, "strerror", None) or next(iter(str(cause).splitlines()), type(cause).__name__)


def _prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # SQLAlchemy's documented recipe for real transactions on SQLite: the driver must not open them by itself
    # (https://docs.sqlalchemy.org/en/21/dialects/sqlite.html, "Serializable isolation / Savepoints").
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_S * 1000}")
    _enable_wal(cursor)
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")  # forgotten data is overwritten, not just unlinked
    cursor.close()


def _enable_wal(cursor: DBAPICursor) -> None:
    """Switch to a write-ahead log, permanently, retrying if another process does so too.

    For one of two processes the new file is then locked, whatever its timeout
    (https://www.sqlite.org/wal.html#activating_and_configuring_wal_mode).
    """
    until = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(_ONCE_MORE_S)
        else:
            return


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("thusfar_writes", True)
    connection.exec_driver_sql(_WRITE if writes else _READ)
