"""Upgrades a database to the newest schema: Alembic is the only way that a schema changes. A new one is as declared."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from adapters.persistence.database import storage_error
from adapters.persistence.safety_copies import copy_before_change, keep_newest
from adapters.persistence.sqlite import remove
from core.domain.errors import StorageError
from core.domain.pauses import doubling

_REVISIONS = ("0034",)
_BEFORE_BASELINE = tuple(f"{number:04}" for number in range(1, 34))
"""Schemas older than the first release: the baseline, the first of the revisions, upgrades all of them."""
_log = logging.getLogger(__name__)
NEWEST_REVISION = _REVISIONS[-1]
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 5.0
_SCRIPTS = Path(__file__).parent / "migrations"


def current_revision(engine: Engine) -> str | None:
    """Return the database's schema revision; None for an empty one. Waits for no writer."""
    with engine.execution_options(thusfar_writes=False).connect() as connection:
        return _revision(connection)


def refuse_newer(engine: Engine, *, patience: float = 0.0) -> None:
    """Raise StorageError if the database stays unusable for `patience` seconds, or is from a newer Thusfar."""
    until, pauses = time.monotonic() + patience, doubling(_FIRST_PAUSE_S, longest=_LONGEST_PAUSE_S)
    while True:
        try:
            _refuse_unknown(current_revision(engine))
        except SQLAlchemyError as error:
            away, pause = storage_error(error, engine), next(pauses)
            if time.monotonic() + pause > until:
                raise away from error
            _log.warning("%s", away)
            time.sleep(pause)
        else:
            return


def upgrade(engine: Engine, *, lock_path: Path | None = None) -> bool:
    """Upgrade the schema; return whether anything was to be done.

    `lock_path` keeps two starting processes from upgrading twice, and has SQLite's file copied first; on PostgreSQL a
    database lock does. Alembic takes half a second to import, so it is imported only if needed.

    Raises:
        StorageError: the database can't be used, or is from a newer Thusfar.
    """
    try:
        revision = current_revision(engine)
        if revision == NEWEST_REVISION:
            return False
        _refuse_unknown(revision)
        if lock_path is None:
            return _run_alembic(engine)
        from filelock import FileLock

        with FileLock(lock_path):
            revision = current_revision(engine)
            if revision == NEWEST_REVISION:
                return False
            if revision is None:
                return _run_alembic(engine)
            with _copied(Path(str(engine.url.database)), revision):
                return _run_alembic(engine)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise storage_error(error, engine) from error


def is_known(revision: str) -> bool:
    """Whether this version can use a database with that schema, after an upgrade."""
    return revision in _REVISIONS or revision in _BEFORE_BASELINE


@contextmanager
def _copied(path: Path, revision: str) -> Iterator[None]:
    """Keep a copy of the old database; a failed upgrade changes nothing, so the copy is removed then."""
    copy = copy_before_change(path)
    try:
        yield
    except BaseException:
        remove(copy)
        raise
    keep_newest(path, also=copy)
    _log.warning(
        "The database was upgraded from schema %s. To go back, install the version before and run: thusfar restore %s",
        revision,
        copy,
    )


def _run_alembic(engine: Engine) -> bool:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    with engine.connect() as connection:
        revision = _revision(connection)  # read again under the write lock: another process may have upgraded it
        if revision == NEWEST_REVISION:
            return False
        _refuse_unknown(revision)
        if revision in _BEFORE_BASELINE:
            connection.execute(text("DELETE FROM alembic_version"))  # in one transaction with the upgrade
        config.attributes.update(connection=connection, to_newest=True)
        (command.stamp if revision is None else command.upgrade)(config, "head")
    return True


def _refuse_unknown(revision: str | None) -> None:
    if revision is not None and not is_known(revision):
        raise StorageError(
            f"This database has schema {revision}, which this version does not know; update Thusfar, or use "
            "another THUSFAR_HOME or DATABASE_URL."
        )


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
