"""The shared work queue in SQL: leases on the inbox's rows. On PostgreSQL an offer wakes waiting workers.

Two claims never take the same row: on SQLite a writing transaction has the database to itself; on PostgreSQL a claim
skips locked rows and does not commit after a conflict.
"""

import asyncio
import contextlib
import logging
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, case, func, or_, true
from sqlmodel import Session, col, select

from adapters.persistence import postgres
from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database, SqlStore, writes
from adapters.persistence.inbox import event_of, ran_alone, row_of
from adapters.persistence.tables import ConversationRow, InboundEventRow, MessageRow, TurnRow
from core.domain.conversation import AskedAs, TurnStatus
from core.domain.inbound import DIED_ALONE, EventState, InboundEvent
from core.domain.thread import Thread
from core.ports.work import WorkQueue

_log = logging.getLogger(__name__)

_CHANNEL: Final = "thusfar_work"
_OVER: Final = (EventState.POSTED, EventState.DONE)
"""States that block the thread's next message no longer."""


class SqlWorkQueue(SqlStore, WorkQueue):
    """Claims and leases; `listen` is for processes that claim."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._came = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    @writes
    def offer(self, session: Session, event: InboundEvent, *, thread: str, order: int, asked: AskedAs) -> None:
        """Offer an event to all workers."""
        row = row_of(session, event)
        if row is None or row.state == EventState.DONE:
            return
        row.thread, row.said_order, row.asked = thread, order, asked
        session.add(row)
        if session.get_bind().dialect.name == postgres.NAME:
            session.connection().exec_driver_sql(f"NOTIFY {_CHANNEL}")

    @writes
    def amend(self, session: Session, ref: str, *, bot: str, text: str | None) -> None:
        """Change the text of an offered message; with None it is no longer answered."""
        these = (InboundEventRow.ref == ref, InboundEventRow.bot == bot, _undone(InboundEventRow))
        for row in session.exec(select(InboundEventRow).where(*these, col(InboundEventRow.asked).is_not(None))):
            if text is None:
                _drop(session, row)
            else:
                row.payload = {**row.payload, "text": text}
                session.add(row)

    @writes
    def drop(self, session: Session, thread: Thread, *, member_id: str | None) -> bool:
        """Drop the leased question of a thread, or only that of a member; return whether there was one."""
        row = InboundEventRow
        asked = (
            select(TurnRow.asked_by)
            .join(ConversationRow)
            .join(MessageRow)
            .where(
                TurnRow.status == TurnStatus.OPEN,
                col(ConversationRow.session_id).startswith(thread.session, autoescape=True),
                true() if member_id is None else MessageRow.author_id == member_id,
            )
        )
        leased = (col(row.leased_until) > utc_now(), col(row.state).not_in(_OVER), col(row.ref).in_(asked))
        found = session.exec(select(row).where(*leased)).all()
        for one in found:
            _drop(session, one)
        return bool(found)

    @writes
    def claim(self, session: Session, platform: str, *, bot: str, lease: timedelta) -> InboundEvent | None:
        """Return the next event to answer, leased to the caller."""
        row = InboundEventRow
        now = utc_now()
        # One pass over the offered rows: looking back for each row costs the square of a backlog, and all writers wait.
        offered = (
            select(
                row.event_id,
                row.said_order,
                row.leased_until,
                func.min(case((col(row.state).not_in(_OVER), col(row.said_order))))
                .over(partition_by=col(row.thread))
                .label("first"),
            )
            .where(row.platform == platform, row.bot == bot, _undone(row), col(row.asked).is_not(None))
            .subquery()
        )
        free = (
            select(row)
            .join(offered, offered.c.event_id == row.event_id)
            .where(
                or_(offered.c.leased_until.is_(None), offered.c.leased_until <= now),
                or_(offered.c.first.is_(None), offered.c.first >= offered.c.said_order),
            )
            .order_by(col(row.event_id))
            .limit(1)
            .with_for_update(skip_locked=True, of=row)  # no claim waits for another
        )
        found = session.exec(free).first()
        if found is None:
            return None
        if found.state == EventState.BEGUN:
            found.blame += DIED_ALONE if ran_alone(session, found) else 0
            found.state = EventState.RECEIVED
        found.owner, found.leased_until = self.database.process, now + lease
        session.add(found)
        return event_of(found)

    @writes
    def renew(self, session: Session, event: InboundEvent, *, lease: timedelta) -> bool:
        """Renew the lease on an event; return False if it is finished, dropped, or another process's."""
        row = self._own(session, event)
        if row is not None:
            row.leased_until = utc_now() + lease
            session.add(row)
        return row is not None

    @writes
    def give_back(self, session: Session, event: InboundEvent, *, after: timedelta) -> None:
        """Release an event, to be claimed again after this time."""
        row = self._own(session, event)
        if row is None:
            return
        if row.state == EventState.BEGUN:
            row.state, row.attempts = EventState.RECEIVED, row.attempts - 1
        row.owner, row.leased_until = None, utc_now() + after
        session.add(row)

    async def came(self, *, within: float) -> None:
        """Wait until there may be something to claim; without PostgreSQL, for all of `within` seconds."""
        if self._listening is None and self.database.engine.dialect.name == postgres.NAME:
            self._listening = asyncio.create_task(self._listen(pause=within))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._came.wait(), within)
        self._came.clear()

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self, *, pause: float) -> None:
        """Listen for offers; while there is no connection, waiting workers poll."""
        import psycopg  # imported here only, since it takes a twentieth of a short command

        address = self.database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    self._came.set()
                    async for _ in connection.notifies():
                        self._came.set()
            except (psycopg.Error, OSError) as error:
                _log.info("Offers can't be received now: %s", type(error).__name__)
            await asyncio.sleep(pause)

    def _own(self, session: Session, event: InboundEvent) -> InboundEventRow | None:
        row = row_of(session, event)
        is_own = row is not None and row.owner == self.database.process and row.state != EventState.DONE
        return row if is_own else None


def _drop(session: Session, row: InboundEventRow) -> None:
    row.state, row.payload, row.reply, row.posted = EventState.DONE, {}, None, None
    session.add(row)


def _undone(row: type[InboundEventRow]) -> ColumnElement[bool]:
    return col(row.state) != EventState.DONE
