"""The schedules of readings, in SQL."""

from collections.abc import Sequence
from datetime import date, time

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ScheduleRow, SectionRow
from adapters.persistence.database import Database
from core.domain.errors import BookError, BookErrorCode
from core.domain.kept_schedule import DatedSection, Reminding, Schedule
from core.domain.place_map import PlaceMap
from core.ports.schedules import ScheduleRepository


class SqlScheduleRepository(ScheduleRepository):
    """One row a schedule, one a section; both are written whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, reading_id: str) -> Schedule | None:
        """Return the schedule of a reading."""
        return await self._database.read(lambda session: schedule_of(session, reading_id))

    async def keep(self, reading_id: str, schedule: Schedule) -> None:
        """Keep a schedule, in place of the one before."""

        def work(session: Session) -> None:
            _drop(session, reading_id)
            reminding = schedule.reminding
            session.add(
                ScheduleRow(
                    reading_id=reading_id,
                    at=schedule.at.isoformat("minutes"),
                    zone=schedule.zone,
                    weeks=schedule.weeks,
                    reminds=reminding is not None,
                    reminds_in=reminding.thread if reminding else "",
                    role=reminding.role if reminding else "",
                    wanted_by=reminding.wanted_by if reminding else "",
                )
            )
            try:
                session.flush()
            except IntegrityError:
                raise BookError(BookErrorCode.NOT_FOUND, "What this club was reading is gone.") from None
            for each in schedule.sections:
                session.add(
                    SectionRow(
                        reading_id=reading_id,
                        number=each.number,
                        first_page=each.first_page,
                        last_page=each.last_page,
                        day=each.day.isoformat(),
                        thread=each.thread,
                    )
                )

        await self._database.write(work)

    async def drop(self, reading_id: str) -> None:
        """Keep none any more."""
        await self._database.write(lambda session: _drop(session, reading_id))


def schedule_of(session: Session, reading_id: str) -> Schedule | None:
    """Return the schedule of a reading, within a transaction that reads more of it."""
    row = session.get(ScheduleRow, reading_id)
    return None if row is None else _schedule(row, _sections(session, reading_id))


def forget_who_wanted(session: Session, readings: Sequence[str], member_id: str) -> None:
    """Forget that a member wanted reminders, within the transaction that forgets them; the club's go on."""
    theirs = (col(ScheduleRow.reading_id).in_(readings), col(ScheduleRow.wanted_by) == member_id)
    session.execute(update(ScheduleRow).where(*theirs).values(wanted_by=""))


def carry_sections(session: Session, reading_id: str, places: PlaceMap) -> None:
    """Let the sections of a reading end where they did, in another import of its book; each keeps a page."""
    before = 0
    for row in _sections(session, reading_id):
        row.last_page = max(places.position(row.last_page) or 0, before + 1)
        row.first_page = max(places.position(row.first_page) or 0, 1) if not before else before + 1
        before = row.last_page
        session.add(row)


def _drop(session: Session, reading_id: str) -> None:
    session.execute(delete(ScheduleRow).where(col(ScheduleRow.reading_id) == reading_id))
    session.flush()


def _sections(session: Session, reading_id: str) -> Sequence[SectionRow]:
    these = select(SectionRow).where(SectionRow.reading_id == reading_id)
    return session.exec(these.order_by(col(SectionRow.number))).all()


def _schedule(row: ScheduleRow, sections: Sequence[SectionRow]) -> Schedule:
    return Schedule(
        at=time.fromisoformat(row.at),
        zone=row.zone,
        weeks=row.weeks,
        sections=tuple(
            DatedSection(
                number=each.number,
                first_page=each.first_page,
                last_page=each.last_page,
                day=date.fromisoformat(each.day),
                thread=each.thread,
            )
            for each in sections
        ),
        reminding=Reminding(thread=row.reminds_in, role=row.role, wanted_by=row.wanted_by) if row.reminds else None,
    )
