"""Where readings, threads and members stand, in prepared statements: every turn asks, some of them twice."""

from sqlalchemy import bindparam, select

from adapters.persistence.keyed_rows import no_conversation, no_reading
from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import ConversationRow, MemberPositionRow, ReadingRow
from core.domain.position import MemberPosition, Pace, PageControl
from core.domain.reading import Reading, Standing

_reading = ReadingRow.metadata.tables["reading"].c
_thread = ConversationRow.metadata.tables["conversation"].c
_member = MemberPositionRow.metadata.tables["member_position"].c

_OF_READING = Prepared(
    select(
        _reading.reading_id,
        _reading.club_id,
        _reading.book_id,
        _reading.current_page,
        _reading.pace,
        _reading.page_control,
    ).where(_reading.reading_id == bindparam("reading_id"))
)
_OF_THREAD = Prepared(
    select(_thread.reading_id, _thread.current_page, _thread.has_own_position).where(
        _thread.conversation_id == bindparam("conversation_id")
    )
)
_OF_MEMBERS = Prepared(
    select(_member.member_id, _member.current_page, _member.last_spoke_at).where(
        _member.reading_id == bindparam("reading_id"), _member.last_spoke_at.is_not(None)
    )
)


def standing_of_thread(unit: Unit, conversation_id: str) -> Standing:
    """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""
    thread = unit.first(_OF_THREAD, {"conversation_id": conversation_id})
    if thread is None:
        raise no_conversation(conversation_id)
    return _standing(unit, thread.reading_id, position=thread.current_page, has_own=bool(thread.has_own_position))


def standing_of_reading(unit: Unit, reading_id: str) -> Standing:
    """Return where a reading itself and its members stand. Raises BookError(NOT_FOUND)."""
    return _standing(unit, reading_id, position=None, has_own=False)


def reading_of(row: ReadingRow | Record) -> Reading:
    """Return a reading from its row, or from any row that has the columns of one."""
    return Reading(
        reading_id=row.reading_id,
        club_id=row.club_id,
        book_id=row.book_id,
        current_page=row.current_page,
        pace=Pace(row.pace),
        page_control=PageControl(row.page_control),
    )


def members_of(unit: Unit, reading_id: str) -> tuple[MemberPosition, ...]:
    """Return where those members stand who have spoken."""
    rows = unit.all(_OF_MEMBERS, {"reading_id": reading_id})
    return tuple(
        MemberPosition(member_id=row.member_id, position=row.current_page, last_spoke_at=row.last_spoke_at)
        for row in rows
    )


def standing_of_row(unit: Unit, row: Record) -> Standing:
    """Return where a thread stands; where the members do is read where it counts."""
    reading = reading_of(row)
    members: tuple[MemberPosition, ...] = ()
    if reading.pace is Pace.SLOWEST:
        members = members_of(unit, reading.reading_id)
    return Standing(
        reading=reading,
        thread_position=row.thread_page,
        thread_has_own=bool(row.has_own_position),
        members=members,
    )


def _standing(unit: Unit, reading_id: str, *, position: int | None, has_own: bool) -> Standing:
    reading = unit.first(_OF_READING, {"reading_id": reading_id})
    if reading is None:
        raise no_reading()
    return Standing(
        reading=reading_of(reading),
        thread_position=position,
        thread_has_own=has_own,
        members=members_of(unit, reading_id),
    )
