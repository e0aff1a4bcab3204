"""The cost of a claim: all writers wait while one looks for the next question in a backlog."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

from sqlalchemy import event
from sqlmodel import Session

from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database
from adapters.persistence.tables import InboundEventRow
from adapters.persistence.work import SqlWorkQueue
from core.domain.conversation import AskedAs
from core.domain.inbound import EventState

_A_DAY = timedelta(days=1)
_THREADS = 8
_STEP = 10


async def test_the_cost_of_a_claim_grows_linearly_with_the_backlog(tmp_path: Path, empty_database: Path) -> None:
    few, many = [await _steps_of_a_claim(tmp_path, empty_database, size=size) for size in (100, 800)]
    assert few > 0
    assert many < 2 * 8 * few


async def _steps_of_a_claim(folder: Path, empty: Path, *, size: int) -> int:
    """Count SQLite's virtual machine steps to find nothing in a backlog: the first event of each thread is leased."""
    file = shutil.copy(empty, folder / f"{size}.db")
    steps = count()
    with closing(Database(f"sqlite:///{file}")) as database:
        with Session(database.engine) as session, session.begin():
            session.add_all(_heard(number, state=EventState.DONE) for number in range(size))
            session.add_all(_heard(number, state=EventState.BEGUN) for number in range(size, size + _THREADS))
            session.add_all(_heard(number, state=EventState.RECEIVED) for number in range(size + _THREADS, 2 * size))
        event.listen(database.engine, "checkout", partial(_count, steps))
        assert await SqlWorkQueue(database).claim("discord", bot="b", lease=_A_DAY) is None
    return next(steps)


def _count(steps: Iterator[int], connection: sqlite3.Connection, *_rest: object) -> None:
    connection.set_progress_handler(lambda: 0 * next(steps), _STEP)


def _heard(number: int, *, state: EventState) -> InboundEventRow:
    thread = str(number % _THREADS)
    return InboundEventRow(
        platform="discord",
        bot="b",
        place=thread,
        message_id=str(number),
        state=state,
        thread=thread,
        said_order=number,
        asked=AskedAs.LIKELY,
        leased_until=utc_now() + _A_DAY if state is EventState.BEGUN else None,
    )
