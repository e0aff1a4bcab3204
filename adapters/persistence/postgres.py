"""PostgreSQL with the promises of SQLite, over connections that may go away; called by the database.

Every writing transaction takes one lock of the whole database first, as SQLite's `BEGIN IMMEDIATE` does: whoever reads
and then writes (the next turn number, who was first, where a thread stood) is right under any number of writers, and
nobody waits crosswise. Reading transactions see one moment and wait for nobody.
"""

from typing import Final

from sqlalchemy import URL, event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPICursor

NAME: Final = "postgresql"
READING: Final = {"isolation_level": "REPEATABLE READ"}
"""Execution options of transactions that only read: all their statements see the same moment."""

_ONE_WRITER: Final = int.from_bytes(b"thusfar", "big")
# A transaction whose process is gone for good would keep the lock until TCP notices, two hours later.
_BEGIN_WRITING: Final = (
    "SELECT set_config('lock_timeout', '30s', true), set_config('idle_in_transaction_session_timeout', '60s', true), "
    f"pg_advisory_xact_lock({_ONE_WRITER})"
)
_CONNECTING: Final[dict[str, object]] = {
    "connect_timeout": 10,  # libpq waits for ever by itself
    "tcp_user_timeout": 30_000,  # the same for a server that no longer answers
    "prepare_threshold": None,  # poolers such as PgBouncer give each transaction another session
}
_NOT_MIGRATED: Final = {"42P01", "42703"}  # undefined_table, undefined_column
_NUL, _UNREADABLE = "\x00", "\N{REPLACEMENT CHARACTER}"


def options(address: URL) -> dict[str, object]:
    """Return what an engine is made with; what the address says itself wins."""
    told = {name: value for name, value in _CONNECTING.items() if name not in address.query}
    return {"connect_args": told, "pool_pre_ping": True}


def prepare(engine: Engine) -> None:
    """Let every transaction that may write take the lock, and every text be one that PostgreSQL takes."""
    event.listen(engine, "begin", _begin)
    event.listen(engine, "before_cursor_execute", _replace_nul, retval=True)


def is_not_migrated(error: object) -> bool:
    """Whether a driver's error says that the schema is not the one that is expected."""
    return getattr(error, "sqlstate", None) in _NOT_MIGRATED


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("thusfar_writes", True):
        connection.exec_driver_sql(_BEGIN_WRITING)


def _replace_nul(
    _connection: Connection,
    _cursor: DBAPICursor,
    statement: str,
    parameters: object,
    _context: object,
    _many: bool,  # noqa: FBT001 (the form of SQLAlchemy's event)
) -> tuple[str, object]:
    if isinstance(parameters, dict):
        return statement, without_nul(parameters)
    if isinstance(parameters, list):
        return statement, [without_nul(row) if isinstance(row, dict) else row for row in parameters]
    return statement, parameters


def without_nul(row: dict[str, object]) -> dict[str, object]:
    """Put a replacement character where a text holds NUL, which PostgreSQL cannot store; the length stays."""
    return {
        name: value.replace(_NUL, _UNREADABLE) if isinstance(value, str) and _NUL in value else value
        for name, value in row.items()
    }
