"""The database: one engine, used from a few threads so that the event loop never waits for it."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os.path import realpath
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from sqlalchemy import URL, Delete, Update, make_url
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, create_engine

from adapters.persistence import postgres, sqlite
from core.domain.errors import StorageError, UnstorableError

_log = logging.getLogger(__name__)

Given = ParamSpec("Given")
Result = TypeVar("Result")
Store = TypeVar("Store", bound="SqlStore")
_WORKERS = 4
_DAMAGED = ("malformed", "is not a database")
_NO_ADDRESS = (
    "DATABASE_URL is not the address of a database that is known here: postgresql://user:password@host/name is one, or "
    "sqlite:////srv/thusfar.db."
)


@dataclass(slots=True)
class Counts:
    """The number of transactions."""

    reads: int = 0
    writes: int = 0


class Database:
    """Runs units of work. Each is one transaction: committed whole, or not at all.

    They run in worker threads, so that the event loop never waits for a lock or for a book.

    `process` identifies this process among all that use the same database.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.process = uuid4().hex
        self._driver_error = self.engine.dialect.loaded_dbapi.Error
        self.counts = Counts()
        is_sqlite = self.engine.dialect.name == sqlite.NAME
        self._reading = self.engine.execution_options(thusfar_writes=False, **({} if is_sqlite else postgres.READING))
        self._writing = self.engine.execution_options(thusfar_writes=True, **({} if is_sqlite else postgres.WRITING))
        self._workers = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="sql")
        # SQLite has one writer at a time, so writers queue here. On PostgreSQL a writer that waits for another one's
        # rows must block neither readers nor other writers.
        self._writers = ThreadPoolExecutor(
            max_workers=1 if is_sqlite else postgres.WRITERS, thread_name_prefix="sql-write"
        )
        self._is_closed = False

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a reading transaction, which may run beside others."""
        self.counts.reads += 1
        return await self._in_thread(self._workers, self._translated, self._in_session, work, self._reading)

    async def write(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a writing transaction that is correct under concurrent writers.

        On SQLite it takes the write lock at once; on PostgreSQL it may run again after a conflict.
        """
        self.counts.writes += 1
        return await self._in_thread(self._writers, self._translated, self._in_session, work, self._writing)

    async def _in_thread(
        self, workers: ThreadPoolExecutor, run: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Run a function in one of these threads; after the database is closed, raise StorageError."""
        try:
            running = asyncio.get_running_loop().run_in_executor(workers, partial(run, *given, **options))
        except RuntimeError as error:
            if self._is_closed:
                raise StorageError("The database is closed: the program is about to end.") from error
            raise
        return await running

    def _in_session(self, work: Callable[[Session], Result], engine: Engine) -> Result:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            return work(session)

    def _translated(self, run: Callable[Given, Result], *args: Given.args, **options: Given.kwargs) -> Result:
        try:
            return postgres.settled(partial(run, *args, **options))
        except (SQLAlchemyError, self._driver_error, OSError) as error:
            raise storage_error(error, self.engine) from error
        except UnicodeEncodeError as error:
            raise UnstorableError("This text cannot be stored: it holds halves of characters.") from error

    async def truncate_log(self) -> None:
        """Move SQLite's log into the database and truncate it, as far as no reader uses it."""
        if self.engine.dialect.name == sqlite.NAME:
            await self._of_file(sqlite.truncate_log)

    async def _of_file(self, work: Callable[[Path], Result]) -> Result:
        """Run work on SQLite's file as a whole, outside the engine."""
        return await self._in_thread(self._workers, self._translated, work, Path(str(self.engine.url.database)))

    def close(self) -> None:
        """Finish running work and close the connections."""
        self._is_closed = True
        self._workers.shutdown(wait=True)
        self._writers.shutdown(wait=True)
        self.engine.dispose()


class SqlStore:
    """A store in the database; `reads` and `writes` make coroutines of its methods, which get a session."""

    def __init__(self, database: Database) -> None:
        self.database = database


def reads(
    work: Callable[Concatenate[Store, Session, Given], Result],
) -> Callable[Concatenate[Store, Given], Coroutine[Any, Any, Result]]:
    """Run a method in a reading transaction."""

    async def run(store: Store, /, *args: Given.args, **options: Given.kwargs) -> Result:
        return await store.database.read(lambda session: work(store, session, *args, **options))

    return run


def writes(
    work: Callable[Concatenate[Store, Session, Given], Result],
) -> Callable[Concatenate[Store, Given], Coroutine[Any, Any, Result]]:
    """Run a method in a writing transaction."""

    async def run(store: Store, /, *args: Given.args, **options: Given.kwargs) -> Result:
        return await store.database.write(lambda session: work(store, session, *args, **options))

    return run


def changed(session: Session, statement: Delete | Update) -> int:
    """Run a statement; return how many rows it changed."""
    return int(getattr(session.execute(statement), "rowcount", 0))


def sqlite_file(url: str) -> Path | None:
    """Return the file of an address; None if it isn't SQLite. Raises StorageError."""
    address = _address(url)
    return Path(str(address.database)) if address.get_backend_name() == sqlite.NAME else None


def storage_error(error: Exception, engine: Engine) -> StorageError | UnstorableError:
    """Return the operator's error for a database error: its cause, without password or data.

    If the database rejects the data, the reason is in the log.
    """
    cause = getattr(error, "orig", None) or error
    # Options after a ? may hold a password too.
    where = engine.url.database if engine.dialect.name == sqlite.NAME else engine.url.set(query={}).render_as_string()
    if postgres.is_not_migrated(cause):
        return StorageError(f"The database {where} is not at the newest schema: run `thusfar db upgrade`.")
    why = next(iter(str(cause).splitlines()), type(cause).__name__)
    driver = engine.dialect.loaded_dbapi
    if isinstance(cause, (driver.DataError, driver.IntegrityError)):
        _log.error("The database rejected the data: %s", why)
        return UnstorableError("That cannot be stored.")
    is_damaged = engine.dialect.name == sqlite.NAME and any(each in why for each in _DAMAGED)
    remedy = "`thusfar restore FILE` puts a backup in its place" if is_damaged else "fix it"
    return StorageError(
        f"The database {where} cannot be used ({why}); {remedy}, or name another with THUSFAR_HOME or DATABASE_URL."
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
        sqlite.prepare(engine)
    return engine


def _address(url: str) -> URL:
    """Parse DATABASE_URL; errors quote none of it, since any part may belong to a password."""
    try:
        address = make_url(url)
    except (SQLAlchemyError, ValueError):
        raise StorageError(_NO_ADDRESS) from None
    if address.drivername == "postgres":  # some hosts set DATABASE_URL in this form
        address = address.set(drivername=postgres.NAME)
    if address.get_backend_name() not in {sqlite.NAME, postgres.NAME}:
        raise StorageError(_NO_ADDRESS)
    if "@" in (address.host or ""):
        raise StorageError("DATABASE_URL holds more than one @; one that belongs to the password is written %40.")
    if address.get_backend_name() != sqlite.NAME:
        return address
    if address.database in {None, "", ":memory:"}:
        raise StorageError("DATABASE_URL names no file: sqlite:////srv/thusfar.db is one with its whole path.")
    file = str(address.database)
    # With a symbolic link, SQLite keeps the log beside the link's target.
    return address if file.startswith("file:") else address.set(database=realpath(file))
