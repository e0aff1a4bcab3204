"""A database that goes away for a while: a PostgreSQL on this machine that crashes, or a file that stays locked."""

import os
import signal
import sqlite3
import time
from contextlib import closing, suppress
from typing import Final

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from tests.patience import PATIENCE_S
from tests.postgres import unreachable

_LOOK_S: Final = 0.05
_ANSWERS: Final = 5
"""So often in a row it answers when it has recovered: for a moment after the blow it goes on as if nothing were."""


def go_away(address: str, *, away: float) -> None:
    """Let nobody in for so many seconds; a file of SQLite's is locked meanwhile."""
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        with unreachable(address):
            time.sleep(away)
        return
    with closing(sqlite3.connect(str(url.database), isolation_level=None)) as connection, suppress(sqlite3.Error):
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(away)


def crash(address: str, *, away: float) -> None:
    """Let the server crash and recover: a session's process is killed, after which it starts again by itself."""
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with suppress(OperationalError), engine.connect() as connection:
        os.kill(connection.execute(text("SELECT pg_backend_pid()")).scalar_one(), signal.SIGKILL)
        connection.execute(text("SELECT pg_sleep(1)"))
    answered, until = 0, time.monotonic() + PATIENCE_S
    while answered < _ANSWERS and time.monotonic() < until:
        time.sleep(_LOOK_S)
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
        except OperationalError:
            answered = 0
        else:
            answered += 1
    engine.dispose()
