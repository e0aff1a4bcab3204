"""Inbound events in SQL: kept before they are acknowledged, handled once."""

from sqlalchemy import bindparam, func, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Unit, inserting
from adapters.persistence.tables import InboundEventRow, utc_now
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox

_THIS = (
    col(InboundEventRow.platform) == bindparam("of_platform"),
    col(InboundEventRow.place) == bindparam("of_place"),
    col(InboundEventRow.message_id) == bindparam("of_message"),
)
_KNOWN = Prepared(sql_select(col(InboundEventRow.event_id)).where(*_THIS))
_TAKE_IN = Prepared(inserting(SQLModel.metadata.tables["inbound_event"]))
_ALIVE = "(alive)"
"""A place that no platform has: its one row remembers how far was heard."""
_ALIVE_THERE = (col(InboundEventRow.platform) == bindparam("of_platform"), col(InboundEventRow.place) == _ALIVE)
_LAST_ALIVE = Prepared(sql_select(col(InboundEventRow.message_id)).where(*_ALIVE_THERE))
_MOVE_ALIVE = Prepared(
    update(InboundEventRow)
    .where(*_ALIVE_THERE)
    .values(message_id=bindparam("message_id"), received_at=bindparam("received_at"))
)
_FINISH = Prepared(update(InboundEventRow).where(*_THIS).values(finished=True, payload={}))


class SqlInbox(Inbox):
    """One row an event; the payload goes when the event is done, the ids stay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(self, event: InboundEvent) -> bool:
        """Store an event; False where it is known already."""

        def work(unit: Unit) -> bool:
            if unit.first(_KNOWN, _this(event)) is not None:
                return False
            row = {"platform": event.platform, "place": event.place, "message_id": event.message_id}
            unit.run(_TAKE_IN, row | {"payload": event.payload, "finished": False, "received_at": utc_now()})
            return True

        return await self._database.prepared_write(work)

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        """Whether a message was ever taken in, done or not."""
        this = _this(InboundEvent(platform=platform, place=place, message_id=message_id))
        return await self._database.prepared_read(lambda unit: unit.first(_KNOWN, this) is not None)

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done; its payload is emptied."""
        await self._database.prepared_write(lambda unit: unit.run(_FINISH, _this(event)))

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
                .where(InboundEventRow.platform == platform, InboundEventRow.place != _ALIVE)
                .group_by(col(InboundEventRow.place))
            )
            rows = session.exec(select(InboundEventRow).where(col(InboundEventRow.event_id).in_(latest)))
            return {row.place: row.message_id for row in rows}

        return await self._database.read(work)

    async def note_alive(self, platform: str, message_id: str) -> None:
        """Remember the last message up to which all that was said is kept, in place of the one before."""
        now = utc_now()

        def work(unit: Unit) -> None:
            heard = {"message_id": message_id, "received_at": now}
            if not unit.run(_MOVE_ALIVE, heard | {"of_platform": platform}):
                row = {"platform": platform, "place": _ALIVE, "payload": {}, "finished": True}
                unit.run(_TAKE_IN, row | heard)

        await self._database.prepared_write(work)

    async def last_alive(self, platform: str) -> str | None:
        """Return what was remembered so; None where nothing was."""

        def work(unit: Unit) -> str | None:
            row = unit.first(_LAST_ALIVE, {"of_platform": platform})
            return None if row is None else str(row.message_id)

        return await self._database.prepared_read(work)


def _this(event: InboundEvent) -> dict[str, str]:
    return {"of_platform": event.platform, "of_place": event.place, "of_message": event.message_id}
