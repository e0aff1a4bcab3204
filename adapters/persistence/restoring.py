"""Puts a backup in the place of the database."""

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

from adapters.persistence.database import Database, sqlite_file
from adapters.persistence.migrate import current_revision, refuse_newer
from adapters.persistence.sqlite import damage
from core.domain.errors import StorageError


def restore(url: str, backup: Path) -> Path | None:
    """Put a backup in the place of what an address names; return where that is kept now, None where nothing was there.

    Raises:
        StorageError: the backup is none, is damaged, or was made by a newer Thusfar; or the database is PostgreSQL's.
    """
    path = sqlite_file(url)
    if path is None:
        raise StorageError("PostgreSQL has its own way: pg_restore --clean --if-exists --dbname=ADDRESS FILE")
    _refuse_unusable(backup)
    before = path.with_name(f"{path.name}.before")
    part = path.with_name(f"{path.name}.part")
    try:
        shutil.copy(backup, part)
        kept = None
        for end in ("", "-wal", "-shm"):  # a log belongs to its database alone
            old = path.with_name(path.name + end)
            with suppress(FileNotFoundError):
                old.replace(before.with_name(before.name + end))
                kept = before
        part.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be replaced ({error.strerror}).") from error
    return kept


def _refuse_unusable(backup: Path) -> None:
    if not backup.is_file() or backup.stat().st_size == 0:
        raise StorageError(f"{backup} is no backup.")
    try:
        found = damage(backup)
    except sqlite3.Error as error:
        raise StorageError(f"{backup} is no backup ({error}).") from error
    if found is not None:
        raise StorageError(f"{backup} is damaged: {found}")
    database = Database(f"sqlite:///{backup.resolve()}")
    try:
        if current_revision(database.engine) is None:
            raise StorageError(f"{backup} is no backup of Thusfar's.")
        refuse_newer(database.engine)
    finally:
        database.close()
