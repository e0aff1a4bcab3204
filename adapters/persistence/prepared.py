"""Statements that are put together once and run on the driver's own cursor, for what every message asks.

To build a statement, to compile it and to make its rows into objects costs many times what SQLite itself takes.
"""

import threading
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Delete, Insert, Select, Table, Update, bindparam, insert
from sqlalchemy.engine import Dialect
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import Session

from adapters.persistence import postgres

Record = Any
"""A row: a named tuple whose names are those of the columns that a statement asks for, so no type can be given."""

_Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete
_Processor = Callable[[Any], Any]
_Key = TypeVar("_Key")
Made = TypeVar("Made")


class Prepared:
    """A statement for any number of units. Its bound parameters are all given by name each time it runs."""

    def __init__(self, statement: _Statement) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def on(self, dialect: Dialect) -> "_Compiled":
        """Return the statement as one kind of database takes it."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = _Compiled(self._statement, dialect)
        return compiled


class KeptRows(Generic[Made]):
    """What was made of the rows that came last, so that it is made anew only of a row that is another by now.

    The database is asked each time; what is saved is making records and values of the same rows again. Any thread may
    use it. What is made must not be changed by anybody.

    Args:
        make: makes it of a record; of nothing else.
        most: so many rows are kept, whose first column tells them apart.
    """

    def __init__(self, make: Callable[[Record], Made], *, most: int) -> None:
        self._make = make
        self._most = most
        self._held: dict[object, tuple[Sequence[object], Made]] = {}
        self._changing = threading.Lock()

    def of(self, row: Sequence[object], record: Callable[[Sequence[object]], Record]) -> Made:
        """Return what is made of a row of the driver, whose `record` says what it stands for."""
        held = self._held.get(row[0])
        if held is not None and held[0] == row:
            return held[1]
        made = self._make(record(row))
        with self._changing:
            self._held.pop(row[0], None)
            self._held[row[0]] = row, made
            if len(self._held) > self._most:
                del self._held[next(iter(self._held))]
        return made

    def clear(self) -> None:
        """Keep nothing of what was made: somebody wants to be forgotten."""
        with self._changing:
            self._held.clear()


class Unit:
    """A unit of work under way: one transaction, in which prepared statements run on one cursor."""

    def __init__(self, cursor: DBAPICursor, dialect: Dialect) -> None:
        self._cursor = cursor
        self._dialect = dialect

    @classmethod
    def of(cls, session: Session) -> "Unit":
        """Return the unit of a session, for statements that run in between what the session does."""
        connection = session.connection()
        return cls(connection.connection.cursor(), connection.dialect)

    def first(self, statement: Prepared, given: Mapping[str, object]) -> Record | None:
        """Return the first row, None where there is none."""
        compiled = self._run(statement, given)
        row = self._cursor.fetchone()
        return None if row is None else compiled.record(row)

    def one(self, statement: Prepared, given: Mapping[str, object]) -> Record:
        """Return the first row of a statement that always has one."""
        row = self.first(statement, given)
        if row is None:
            raise LookupError(f"There is no row where there always is one: {statement.on(self._dialect).sql}")
        return row

    def all(self, statement: Prepared, given: Mapping[str, object]) -> list[Record]:
        """Return all rows."""
        compiled = self._run(statement, given)
        return [compiled.record(row) for row in self._cursor.fetchall()]

    def made(self, statement: Prepared, given: Mapping[str, object], kept: "KeptRows[Made]") -> list[Made]:
        """Return what is made of all rows."""
        compiled = self._run(statement, given)
        return [kept.of(row, compiled.record) for row in self._cursor.fetchall()]

    def run(self, statement: Prepared, given: Mapping[str, object]) -> int:
        """Run what returns nothing; return how many rows it changed."""
        self._run(statement, given)
        return self._cursor.rowcount

    def _run(self, statement: Prepared, given: Mapping[str, object]) -> "_Compiled":
        compiled = statement.on(self._dialect)
        self._cursor.execute(compiled.sql, compiled.bound(given))
        return compiled


class _Compiled:
    """A statement in one dialect, with what makes values of rows and rows of values."""

    def __init__(self, statement: _Statement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        if not isinstance(compiled, SQLCompiler):
            raise TypeError(f"{statement} is no statement that is run with values.")
        self.sql = compiled.string
        self._names = compiled.positiontup or list(compiled.bind_names.values())
        self._by_position = compiled.positional
        self._fixed = {name: bind.value for bind, name in compiled.bind_names.items() if not bind.required}
        processors = ((name, bind.type.dialect_impl(dialect)) for bind, name in compiled.bind_names.items())
        self._binding = _only((name, type_.bind_processor(dialect)) for name, type_ in processors)
        columns = list(statement.exported_columns)
        types = (column.type.dialect_impl(dialect) for column in columns)
        self._reading = _only((index, type_.result_processor(dialect, None)) for index, type_ in enumerate(types))
        self._record = _record_of(str(column.key) for column in columns)
        self._takes_nul = dialect.name != postgres.NAME

    def bound(self, given: Mapping[str, object]) -> Sequence[object] | Mapping[str, object]:
        """Return values as the driver takes them. Raises KeyError where one is missing."""
        values = {**self._fixed, **given}
        for name, process in self._binding:
            values[name] = process(values[name])
        if not self._takes_nul:
            values = postgres.without_nul(values)
        if self._by_position:
            return [values[name] for name in self._names]
        return {name: values[name] for name in self._names}

    def record(self, row: Sequence[object]) -> Record:
        """Return a row of the driver as what it stands for."""
        values = list(row)
        for index, process in self._reading:
            values[index] = process(values[index])
        return self._record(*values)


def _record_of(names: Iterable[str]) -> Callable[[*tuple[object, ...]], Record]:
    return namedtuple("Record", list(names))


def _only(processors: Iterable[tuple[_Key, _Processor | None]]) -> list[tuple[_Key, _Processor]]:
    return [(key, process) for key, process in processors if process is not None]


def inserting(table: Table, *names: str) -> Insert:
    """Return a statement that stores a row with a value for each of these columns, by default of all but the key."""
    stored = names or [column.key for column in table.c if not (column.primary_key and column.autoincrement)]
    return insert(table).values({name: bindparam(name) for name in stored})
