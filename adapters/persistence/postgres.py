"""PostgreSQL with the same guarantees as SQLite, over connections that may break; called by the database.

Writing transactions are serializable: reading and then writing (the next turn number, who was first, a thread's page)
is correct under any number of writers, since conflicting transactions run again. A writer waits only for writers of the
same rows, and not for long. Reading transactions see a snapshot and wait for nobody.
"""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy import URL, event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPICursor

Result = TypeVar("Result")

NAME: Final = "postgresql"
READING: Final = {"isolation_level": "REPEATABLE READ"}
"""Execution options of reading transactions: all their statements see the same snapshot."""
WRITING: Final = {"isolation_level": "SERIALIZABLE"}
WRITERS: Final = 16
"""How many writers may wait for each other's rows at once; readers don't wait with them."""

_ONE_UPGRADE: Final = int.from_bytes(b"thusfar", "big")
# Without this, a transaction of a dead process would keep its locks until TCP notices, two hours later.
_BEGIN_WRITING: Final = (
    "SELECT set_config('lock_timeout', '5s', true), set_config('idle_in_transaction_session_timeout', '30s', true)"
)
_BEGIN_UPGRADE: Final = f"{_BEGIN_WRITING}, pg_advisory_xact_lock({_ONE_UPGRADE})"
_TRIED_FOR_S: Final[dict[object, float]] = {"40001": 15.0, "40P01": 15.0, "55P03": 6.0, "23505": 0.2}
"""Serialization failure, deadlock, lock timeout (tried twice), unique violation, which the data itself may cause."""
_FIRST_PAUSE_S: Final = 0.002
_LONGEST_PAUSE_S: Final = 0.05
_CONNECTING: Final[dict[str, object]] = {
    "connect_timeout": 10,  # libpq's default is to wait for ever
    "tcp_user_timeout": 30_000,  # the same for a server that no longer answers
    "prepare_threshold": None,  # poolers such as PgBouncer give each transaction another session
}
_NOT_MIGRATED: Final = {"42P01", "42703"}  # undefined_table, undefined_column
_NUL, _UNREADABLE = "\x00", "\N{REPLACEMENT CHARACTER}"


def options(address: URL) -> dict[str, object]:
    """Return the engine's options; the address's own options take precedence."""
    told = {name: value for name, value in _CONNECTING.items() if name not in address.query}
    return {"connect_args": told, "pool_pre_ping": True, "max_overflow": WRITERS}


def prepare(engine: Engine) -> None:
    """Limit the waits of writing transactions, and replace characters that PostgreSQL can't store."""
    event.listen(engine, "begin", _begin)
    event.listen(engine, "before_cursor_execute", _replace_nul, retval=True)


def is_not_migrated(error: object) -> bool:
    """Whether a driver's error means that the schema is not the expected one."""
    return getattr(error, "sqlstate", None) in _NOT_MIGRATED


def settled(run: Callable[[], Result]) -> Result:
    """Run a transaction, again after conflicts, for some seconds."""
    began, longest = time.monotonic(), _FIRST_PAUSE_S
    while True:
        try:
            return run()
        except Exception as error:
            state = getattr(getattr(error, "orig", None) or error, "sqlstate", None)
            if time.monotonic() - began >= _TRIED_FOR_S.get(state, 0.0):
                raise
        time.sleep(random.uniform(0, longest))  # noqa: S311 (so that two don't collide again)
        longest = min(2 * longest, _LONGEST_PAUSE_S)


def _begin(connection: Connection) -> None:
    """Limit the waits of a writer; a transaction without the option changes the schema, one at a time."""
    match connection.get_execution_options().get("thusfar_writes"):
        case True:
            connection.exec_driver_sql(_BEGIN_WRITING)
        case None:
            connection.exec_driver_sql(_BEGIN_UPGRADE)


def _replace_nul(
    _connection: Connection,
    _cursor: DBAPICursor,
    statement: str,
    parameters: object,
    _context: object,
    _many: bool,  # noqa: FBT001 (the form of SQLAlchemy's event)
) -> tuple[str, object]:
    if isinstance(parameters, dict):
        return statement, _without_nul(parameters)
    if isinstance(parameters, list):
        return statement, [_without_nul(row) if isinstance(row, dict) else row for row in parameters]
    return statement, parameters


def _without_nul(row: dict[str, object]) -> dict[str, object]:
    """Replace NUL in texts, which PostgreSQL can't store, by a replacement character; the length stays."""
    return {
        name: value.replace(_NUL, _UNREADABLE) if isinstance(value, str) and _NUL in value else value
        for name, value in row.items()
    }
