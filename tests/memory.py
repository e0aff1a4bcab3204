"""SQLite in memory, with the newest schema: what most tests keep their club in."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import ParamSpec, TypeVar

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from adapters.persistence import columns, sqlite
from adapters.persistence.books import SqlBookRepository
from adapters.persistence.database import Counts, Database
from adapters.persistence.migrate import upgrade
from core.ports.clock import Clock

_free: list["MemoryDatabase"] = []
_taken: list["MemoryDatabase"] = []

Given = ParamSpec("Given")
Result = TypeVar("Result")


class MemoryDatabase(Database):
    """One connection to a database of its own, used in the thread of the test."""

    def __init__(self) -> None:
        super().__init__("sqlite:///nowhere")
        self.engine = create_engine("sqlite://", poolclass=StaticPool)
        sqlite.prepare(self.engine)
        self._reading = self.engine.execution_options(thusfar_writes=False)
        self._writing = self.engine.execution_options(thusfar_writes=True)

    async def _in_thread(
        self, workers: ThreadPoolExecutor, run: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        return run(*given, **options)

    async def truncate_log(self) -> None:
        """Do nothing: there is no file."""

    def put(self, content: bytes) -> None:
        """Hold this content and nothing else."""
        self._connection().deserialize(content)

    def content(self) -> bytes:
        """Return all that it holds."""
        return self._connection().serialize()

    def _connection(self) -> sqlite3.Connection:
        with closing(self.engine.raw_connection()) as connection:  # the pool keeps it
            driver = connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver


def memory_database() -> MemoryDatabase:
    """Return an empty database. `give_back_databases` makes it free for the next test."""
    database = _free.pop() if _free else MemoryDatabase()
    _taken.append(database)
    database.put(empty_content())
    database.counts = Counts()
    return database


def memory_books() -> SqlBookRepository:
    """Return an empty store of books without an embedding model."""
    return SqlBookRepository(memory_database(), embedding_model_id=None)


def give_back_databases() -> None:
    """Let the next test, or the next example of one, use the databases of this one."""
    _free.extend(_taken)
    _taken.clear()


def close_databases() -> None:
    """Close all connections."""
    give_back_databases()
    while _free:
        _free.pop().close()


@contextmanager
def rows_dated_by(clock: Clock) -> Iterator[None]:
    """Date rows by this clock."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "datetime", SimpleNamespace(now=lambda _zone: clock.now()))
        yield


def rows_are_dated() -> bool:
    """Whether a clock of a test dates the rows."""
    return vars(columns)["datetime"] is not datetime


@cache
def empty_content() -> bytes:
    """Return a database with the newest schema and no rows."""
    database = MemoryDatabase()
    upgrade(database.engine)
    content = database.content()
    database.close()
    return content
