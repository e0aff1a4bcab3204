"""Checks whether a SQLite file is a complete Thusfar database: before a restore, after a backup, in `doctor`."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Table, UniqueConstraint
from sqlmodel import SQLModel

import adapters.persistence.club_life_tables
import adapters.persistence.partial_indexes
import adapters.persistence.tables  # noqa: F401 (both modules register tables)
from adapters.persistence.migrate import NEWEST_REVISION, is_known
from adapters.persistence.sqlite import read_only
from core.domain.errors import StorageError

_MOST_TOLD: Final = 5
_NEVER_MADE: Final = "it holds what Thusfar never makes"
# Objects in a file that run code when a table is used; Thusfar ships none.
_FOREIGN: Final = (
    "SELECT lower(type) || ' ' || name FROM sqlite_master "
    "WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY 1"
)
_OBJECTS: Final = "SELECT type || ' ' || name FROM sqlite_master"
_OF_TABLES: Final = """
    WITH one AS (
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'alembic_version'
    ), an_index AS (
        SELECT one.name AS of_table, each.*, (
            SELECT group_concat(coalesce(part.name, '?')) FROM pragma_index_info(each.name) part
        ) AS columns
        FROM one, pragma_index_list(one.name) each WHERE each.origin <> 'pk'
    )
    SELECT 'table ' || name FROM one
    UNION ALL
    SELECT 'check in ' || name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%CHECK%(%'
    UNION ALL
    SELECT 'column ' || one.name || '.' || each.name || CASE WHEN each.hidden THEN ', computed' WHEN each."notnull"
        THEN '' ELSE ' or null' END
    FROM one, pragma_table_xinfo(one.name) each
    UNION ALL
    SELECT 'key ' || one.name || '.' || each.name FROM one, pragma_table_info(one.name) each WHERE each.pk > 0
    UNION ALL
    SELECT 'reference ' || one.name || '.' || each."from" || ' to ' || each."table" || ', ' || each.on_delete
    FROM one, pragma_foreign_key_list(one.name) each
    UNION ALL
    SELECT 'unique ' || of_table || '.' || columns FROM an_index WHERE "unique"
    UNION ALL
    SELECT 'index ' || name || ' of ' || of_table || '.' || columns || iif(partial, ', partial', '')
    FROM an_index WHERE origin = 'c'
"""


def what_is_wrong(path: Path) -> str | None:
    """Return why a file is no complete Thusfar database, or None. An older schema's tables aren't compared.

    Raises:
        sqlite3.Error: it can't be read, or isn't SQLite's.
    """
    with closing(read_only(path)) as connection:
        return next(_faults(lambda statement: [str(row[0]) for row in connection.execute(statement)]), None)


def _faults(all_of: Callable[[str], list[str]]) -> Iterator[str]:
    """Yield the problems; only the first is meaningful."""
    found = all_of(f"PRAGMA integrity_check({_MOST_TOLD})")
    if found != ["ok"]:
        yield _listed("it is damaged", found)
    if "table alembic_version" not in all_of(_OBJECTS):
        yield "it isn't a database of Thusfar's"
    if foreign := all_of(_FOREIGN):
        yield _listed(_NEVER_MADE, foreign)
    if orphans := all_of("PRAGMA foreign_key_check"):
        yield _listed("rows refer to missing ones, in table", set(orphans))
    revision = next(iter(all_of("SELECT version_num FROM alembic_version")), None)
    if revision is None or not is_known(revision):
        yield f"it has schema {revision}, which this version doesn't know: update Thusfar"
    elif revision == NEWEST_REVISION:
        yield from _differences(set(all_of(_OF_TABLES)))


def _differences(there: set[str]) -> Iterator[str]:
    """Yield what the newest schema has and these tables lack, and the reverse."""
    expected = _expected()
    for what, names in (("something is missing", expected - there), (_NEVER_MADE, there - expected)):
        if names:
            tables = {name for name in names if name.startswith("table")}  # rather than each column of them
            yield _listed(what, tables or names)


def refuse_unsound(path: Path, *, told_as: Path) -> None:
    """Raise StorageError, in a sentence about `told_as`, if a file is no complete Thusfar database."""
    try:
        wrong = what_is_wrong(path)
    except sqlite3.Error as error:
        wrong = f"it can't be read ({error})"
    if wrong is not None:
        raise StorageError(f"{told_as} can't be used: {wrong}.")


def _expected() -> set[str]:
    """Return the tables and columns of the newest schema, in the form that `what_is_wrong` reads."""
    return {part for table in SQLModel.metadata.tables.values() for part in _parts(table)}


def _parts(table: Table) -> Iterator[str]:
    yield f"table {table.name}"
    yield from (f"column {column}{' or null' if column.nullable else ''}" for column in table.columns)
    yield from (f"key {column}" for column in table.primary_key)
    yield from (f"reference {key.parent} to {key.column.table.name}, {key.ondelete}" for key in table.foreign_keys)
    for each in table.constraints:
        if isinstance(each, UniqueConstraint):
            yield f"unique {table.name}.{','.join(column.name for column in each.columns)}"
    for index in table.indexes:
        columns = f"{table.name}.{','.join(column.name for column in index.columns)}"
        is_partial = index.dialect_options["sqlite"]["where"] is not None
        yield f"index {index.name} of {columns}{', partial' if is_partial else ''}"
        if index.unique:
            yield f"unique {columns}"


def _listed(what: str, names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - _MOST_TOLD} more" if len(ordered) > _MOST_TOLD else ""
    return f"{what}: {', '.join(ordered[:_MOST_TOLD])}{more}"
