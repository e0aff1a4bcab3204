"""Inbound events in SQL: kept before they are acknowledged, handled once."""

from sqlalchemy import bindparam, func, insert, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import InboundEventRow, utc_now
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox

_THIS = (
    col(InboundEventRow.platform) == bindparam("of_platform"),
    col(InboundEventRow.place) == bindparam("of_place"),
    col(InboundEventRow.message_id) == bindparam("of_message"),
)
# Prepared once, without row objects: every message of every thread passes here twice.
_KNOWN = sql_select(col(InboundEventRow.event_id)).where(*_THIS)
_TAKE_IN = insert(InboundEventRow)
_FINISH = update(InboundEventRow).where(*_THIS).values(finished=True, payload={})


class SqlInbox(Inbox):
    """One row an event; the payload goes when the event is done, the ids stay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(self, event: InboundEvent) -> bool:
        """Store an event; False where it is known already."""

        def work(session: Session) -> bool:
            connection = session.connection()
            if connection.execute(_KNOWN, _this(event)).first() is not None:
                return False
            row = {"platform": event.platform, "place": event.place, "message_id": event.message_id}
            connection.execute(_TAKE_IN, row | {"payload": event.payload, "finished": False, "received_at": utc_now()})
            return True

        return await self._database.write(work)

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done; its payload is emptied."""
        await self._database.write(lambda session: session.connection().execute(_FINISH, _this(event)))

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        """Return what was taken in and not finished, oldest first."""

        def work(session: Session) -> list[InboundEvent]:
            rows = session.exec(
                select(InboundEventRow)
                .where(InboundEventRow.platform == platform, ~col(InboundEventRow.finished))
                .order_by(col(InboundEventRow.event_id))
            )
            return [
                InboundEvent(platform=r.platform, place=r.place, message_id=r.message_id, payload=r.payload)
                for r in rows
            ]

        return await self._database.read(work)

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        """Return for each place the id of the message that was taken in last."""

        def work(session: Session) -> dict[str, str]:
            latest = (
                select(func.max(InboundEventRow.event_id))
                .where(InboundEventRow.platform == platform)
                .group_by(col(InboundEventRow.place))
            )
            rows = session.exec(select(InboundEventRow).where(col(InboundEventRow.event_id).in_(latest)))
            return {row.place: row.message_id for row in rows}

        return await self._database.read(work)


def _this(event: InboundEvent) -> dict[str, str]:
    return {"of_platform": event.platform, "of_place": event.place, "of_message": event.message_id}
