"""The schedules of readings, in SQL."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ScheduleRow, SectionRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.linking import reading_beside, tell
from adapters.persistence.tables import ReadingRow
from core.domain.club_link import News
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.schedule import DatedSection, Reminding, Schedule
from core.ports.schedules import ScheduleRepository


class SqlScheduleRepository(SqlStore, ScheduleRepository):
    """One row per schedule, one per section; both are replaced as a whole."""

    @reads
    def get(self, session: Session, reading_id: str) -> Schedule | None:
        """Return the schedule of a reading."""
        return schedule_of(session, reading_id)

    @writes
    def keep(self, session: Session, reading_id: str, schedule: Schedule) -> None:
        """Store a schedule, in place of the one before."""
        _write(session, reading_id, schedule)
        keep_beside(session, reading_id)

    @writes
    def drop(self, session: Session, reading_id: str) -> None:
        """Delete the schedule."""
        _drop(session, reading_id)
        keep_beside(session, reading_id)


def keep_beside(session: Session, reading_id: str) -> None:
    """Copy the dates to the linked club, or delete them there; its reminder settings stay its own."""
    reading = session.get(ReadingRow, reading_id)
    other = None if reading is None else reading_beside(session, reading)
    if reading is None or other is None:
        return
    ours, theirs = schedule_of(session, reading_id), schedule_of(session, other.reading_id)
    same = None if ours is None else _for_other(ours, theirs)
    if same == theirs:
        return
    if same is None:
        _drop(session, other.reading_id)
    else:
        _write(session, other.reading_id, same)
    silent = same is not None and theirs is not None and _dates(same) == _dates(theirs)
    more = {"silent": "1"} if silent else {}
    tell(session, other.club_id, News.DATES, of=reading.club_id, reading_id=other.reading_id, more=more)


def _for_other(ours: Schedule, theirs: Schedule | None) -> Schedule:
    """Return the schedule for the linked club: with its own threads, and its own place and role for reminders."""
    spans = {} if theirs is None else {(one.number, one.first_page, one.last_page): one for one in theirs.sections}
    threads = [spans.get((one.number, one.first_page, one.last_page)) for one in ours.sections]
    sections = (
        replace(one, thread=before.thread if before is not None else "")
        for one, before in zip(ours.sections, threads, strict=True)
    )
    reminding = theirs.reminding if theirs is not None else None
    return replace(
        ours, sections=tuple(sections), reminding=(reminding or Reminding(thread="")) if ours.reminding else None
    )


def _dates(schedule: Schedule) -> Schedule:
    return replace(schedule, sections=tuple(replace(one, thread="") for one in schedule.sections), reminding=None)


def _write(session: Session, reading_id: str, schedule: Schedule) -> None:
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
    session.flush()


def schedule_of(session: Session, reading_id: str) -> Schedule | None:
    """Return the schedule of a reading, within a transaction."""
    row = session.get(ScheduleRow, reading_id)
    return None if row is None else _schedule(row, _sections(session, reading_id))


def forget_who_wanted(session: Session, readings: Sequence[str], member_id: str) -> None:
    """Delete a member's reminders, in the transaction that forgets them; the club's stay."""
    theirs = (col(ScheduleRow.reading_id).in_(readings), col(ScheduleRow.wanted_by) == member_id)
    session.execute(update(ScheduleRow).where(*theirs).values(wanted_by=""))


def carry_sections(session: Session, reading_id: str, places: PlaceMap) -> None:
    """Convert the sections of a reading to another import of its book; each keeps at least a page."""
    before = 0
    for row in _sections(session, reading_id):
        row.last_page = max(places.position(row.last_page) or 0, before + 1)
        row.first_page = max(places.position(row.first_page) or 0, 1) if not before else before + 1
        before = row.last_page
        session.add(row)


def _drop(session: Session, reading_id: str) -> None:
    session.execute(delete(SectionRow).where(col(SectionRow.reading_id) == reading_id))
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
