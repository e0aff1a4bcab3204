"""Inbound events in SQL: kept before they are acknowledged, handled once."""

from sqlalchemy import func
from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import InboundEventRow
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox


class SqlInbox(Inbox):
    """One row an event; the payload goes when the event is done, the ids stay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(self, event: InboundEvent) -> bool:
        """Store an event; False where it is known already."""

        def work(session: Session) -> bool:
            if _row(session, event) is not None:
                return False
            session.add(
                InboundEventRow(
                    platform=event.platform, place=event.place, message_id=event.message_id, payload=event.payload
                )
            )
            return True

        return await self._database.write(work)

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done; its payload is emptied."""

        def work(session: Session) -> None:
            row = _row(session, event)
            if row is not None:
                row.finished, row.payload = True, {}
                session.add(row)

        await self._database.write(work)

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


def _row(session: Session, event: InboundEvent) -> InboundEventRow | None:
    return session.exec(
        select(InboundEventRow).where(
            InboundEventRow.platform == event.platform,
            InboundEventRow.place == event.place,
            InboundEventRow.message_id == event.message_id,
        )
    ).first()
