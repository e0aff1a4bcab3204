"""The database: one engine, worked from a few threads so that the event loop never waits on it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import URL, event, make_url
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, create_engine

from adapters.persistence import postgres
from core.domain.errors import StorageError

Result = TypeVar("Result")
_WORKERS = 4
_BUSY_TIMEOUT_S = 30
_NO_ADDRESS = (
    "DATABASE_URL is not the address of a database that is known here: postgresql://user:password@host/name is one, or "
    "sqlite:////srv/thusfar.db."
)


class Database:
    """Runs units of work. Each is one transaction in one worker thread: committed whole, or not at all."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        reads = postgres.READING if self.engine.dialect.name == postgres.NAME else {}
        self._reading = self.engine.execution_options(thusfar_writes=False, **reads)
        self._writing = self.engine.execution_options(thusfar_writes=True)
        self._workers = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="sql")

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a transaction that may run beside others."""
        return await self._run(work, self._reading)

    async def write(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a transaction that takes the write lock at once, so that it never fails half-way for it."""
        return await self._run(work, self._writing)

    async def _run(self, work: Callable[[Session], Result], engine: Engine) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, self._transaction, work, engine)

    def _transaction(self, work: Callable[[Session], Result], engine: Engine) -> Result:
        try:
            with Session(engine, expire_on_commit=False) as session, session.begin():
                return work(session)
        except SQLAlchemyError as error:
            raise storage_error(error, self.engine) from error
        except UnicodeEncodeError as error:
            raise StorageError("This text cannot be stored: it holds halves of characters.") from error

    def close(self) -> None:
        """Finish the work under way and let go of the connections."""
        self._workers.shutdown(wait=True)
        self.engine.dispose()


def storage_error(error: Exception, engine: Engine) -> StorageError:
    """Return what an operator reads of a database error: which one and why, without its password or its data."""
    cause = getattr(error, "orig", None) or error
    # Options behind a ? may hold a password too.
    where = engine.url.database if engine.dialect.name == "sqlite" else engine.url.set(query={}).render_as_string()
    if postgres.is_not_migrated(cause):
        return StorageError(f"The database {where} is not at the newest schema: run `thusfar db upgrade`.")
    why = next(iter(str(cause).splitlines()), type(cause).__name__)
    return StorageError(
        f"The database {where} cannot be used ({why}); mend it, or name another with THUSFAR_HOME or DATABASE_URL."
    )


def _engine(url: str) -> Engine:
    address = _address(url)
    is_postgres = address.get_backend_name() == postgres.NAME
    try:
        engine = create_engine(address, **(postgres.options(address) if is_postgres else {}))
    except ImportError as error:
        how = "; `pip install 'psycopg[binary]'` installs it" if is_postgres else ""
        raise StorageError(f"The driver that DATABASE_URL needs, {error.name}, is not installed{how}.") from error
    except (SQLAlchemyError, ValueError):
        raise StorageError(_NO_ADDRESS) from None
    if is_postgres:
        postgres.prepare(engine)
    else:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _address(url: str) -> URL:
    """Read DATABASE_URL; what is said about it shows nothing of it, since any part of it may be one of a password."""
    try:
        address = make_url(url)
    except (SQLAlchemyError, ValueError):
        raise StorageError(_NO_ADDRESS) from None
    if address.drivername == "postgres":  # as hosts write it who set DATABASE_URL themselves
        address = address.set(drivername=postgres.NAME)
    if address.get_backend_name() not in {"sqlite", postgres.NAME}:
        raise StorageError(_NO_ADDRESS)
    if "@" in (address.host or ""):
        raise StorageError("DATABASE_URL holds more than one @; one that belongs to the password is written %40.")
    if address.get_backend_name() == "sqlite" and address.database in {None, "", ":memory:"}:
        raise StorageError("DATABASE_URL names no file: sqlite:////srv/thusfar.db is one with its whole path.")
    return address


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # SQLAlchemy's documented recipe for real transactions on SQLite: the driver must not open them by itself
    # (https://docs.sqlalchemy.org/en/21/dialects/sqlite.html, "Serializable isolation / Savepoints").
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_S * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("thusfar_writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
