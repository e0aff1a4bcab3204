"""The inbox's rows as a kill has left them, read without a trace: a database in a file is looked at in a copy."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

_UNDONE = "SELECT message_id, state, attempts, blame FROM inbound_event WHERE state <> 'done'"
_TWICE = (
    "SELECT count(*) FROM (SELECT turn_id FROM message WHERE role = 'assistant' GROUP BY turn_id HAVING count(*) > 1) "
    "AS answers"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How far a message has come that is not done."""

    state: str
    attempts: int
    blame: int


def undone(database: str) -> Mapping[str, Row]:
    """Return what is not done, by the messages' ids.

    Whoever opens a file of SQLite's and closes it again mends it: that is left to the process that starts next.
    """
    path = make_url(database).database
    if not database.startswith("sqlite") or path is None:
        return _undone(database)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if (part := Path(f"{path}{suffix}")).exists():
                shutil.copy(part, folder)
        return _undone(f"sqlite:///{folder}/{Path(path).name}")


def twice_in_the_history(database: str) -> int:
    """Return how many turns have more than one answer."""
    engine = create_engine(database)
    with engine.connect() as connection:
        count = connection.execute(text(_TWICE)).scalar_one()
    engine.dispose()
    return int(count)


def _undone(database: str) -> Mapping[str, Row]:
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text(_UNDONE)).all()
    engine.dispose()
    return {row.message_id: Row(state=row.state, attempts=row.attempts, blame=row.blame) for row in rows}
