"""Readings, threads and members: where they stand, in prepared statements, and their rows, to be changed."""

from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, or_, select
from sqlmodel import Session, SQLModel

from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import ConversationRow, MemberPositionRow, ReadingRow
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import MemberPosition, Pace, PageControl
from core.domain.reading import Hearing, Listen, Reading, Standing
from core.domain.thread import keeping

_tables = SQLModel.metadata.tables
_clubs, _readings, _conversations = _tables["club"], _tables["reading"], _tables["conversation"]
_reading, _thread, _member = _readings.c, _conversations.c, _tables["member_position"].c
_kept, _gone = _conversations.alias("kept"), _tables["gone_thread"].c
_READING = (
    _reading.reading_id,
    _reading.club_id,
    _reading.book_id,
    _reading.current_page,
    _reading.pace,
    _reading.page_control,
)
STANDS = (*_READING, _thread.current_page.label("thread_page"), _thread.has_own_position)
"""The columns of a thread and its reading that `standing_of_row` reads."""

_OF_READING = Prepared(select(*_READING).where(_reading.reading_id == bindparam("reading_id")))
_OF_THREAD = Prepared(
    select(*STANDS)
    .join(_readings, _reading.reading_id == _thread.reading_id)
    .where(_thread.conversation_id == bindparam("conversation_id"))
)
_OF_MEMBERS = Prepared(
    select(_member.member_id, _member.current_page, _member.last_spoke_at).where(
        _member.reading_id == bindparam("reading_id"),
        or_(_member.last_spoke_at.is_not(None), _member.current_page.is_not(None)),
    )
)


def current_thread(*also: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a query for a thread about what it reads: the reading that it keeps, else the one its club used last.

    Its parameters are those of `names_of`. Where the thread has no conversation yet, the columns of one are None. It
    finds nothing for a thread whose book was removed.
    """
    names = ("session_of", "keeps", "about")
    begins, keeps, about = (bindparam(name, type_=_thread.session_id.type) for name in names)
    return (
        select(_thread.conversation_id, *STANDS, *also)
        .select_from(
            _clubs.join(_readings, _reading.club_id == _clubs.c.club_id)
            .outerjoin(_conversations, _thread.session_id == begins + _reading.reading_id)
            .outerjoin(_kept, _kept.c.session_id == keeps + _reading.reading_id)
        )
        .where(
            _clubs.c.scope == bindparam("scope"),
            _clubs.c.place == bindparam("place"),
            or_(_kept.c.session_id.is_not(None), ~exists().where(_gone.session_of == keeps)),
            or_(about == "", _reading.reading_id == about),
        )
        .order_by(_kept.c.session_id.is_(None), _kept.c.created_at, _reading.last_used_at.desc())
        .limit(1)
    )


def names_of(*, scope: str, place: str, session_of: str, about: str = "") -> dict[str, str]:
    """Return how `current_thread` is asked for a thread of a club; `session_of` begins the thread's session ids.

    `about` is the one reading that is meant, if any.
    """
    keeps = keeping(scope, session_of)
    return {"scope": scope, "place": place, "session_of": session_of, "keeps": keeps, "about": about}


def current_reading(*also: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return a query for what a club reads now, the reading used last; `scope` and `place` name the club."""
    return (
        select(*_READING, *also)
        .select_from(_clubs.join(_readings, _reading.club_id == _clubs.c.club_id))
        .where(_clubs.c.scope == bindparam("scope"), _clubs.c.place == bindparam("place"))
        .order_by(_reading.last_used_at.desc())
        .limit(1)
    )


def standing_of_thread(unit: Unit, conversation_id: str) -> Standing:
    """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""
    thread = unit.first(_OF_THREAD, {"conversation_id": conversation_id})
    if thread is None:
        raise no_conversation(conversation_id)
    return standing_of_row(unit, thread, every_member=True)


def standing_of_reading(unit: Unit, reading_id: str) -> Standing:
    """Return where a reading itself and its members stand. Raises BookError(NOT_FOUND)."""
    reading = unit.first(_OF_READING, {"reading_id": reading_id})
    if reading is None:
        raise no_reading()
    return standing_of_place(unit, reading)


def standing_of_place(unit: Unit, row: Record) -> Standing:
    """Return where a reading itself and its members stand, of a row with the columns of a reading."""
    members = _members_of(unit, row.reading_id)
    return Standing(reading=reading_of(row), thread_position=None, thread_has_own=False, members=members)


def standing_of_row(unit: Unit, row: Record, *, every_member: bool = False) -> Standing:
    """Return where a thread stands, of a row with `STANDS`; where its members do, unless nobody waits for them."""
    reading = reading_of(row)
    members: tuple[MemberPosition, ...] = ()
    if every_member or reading.pace is Pace.SLOWEST:
        members = _members_of(unit, reading.reading_id)
    return Standing(
        reading=reading,
        thread_position=row.thread_page,
        thread_has_own=bool(row.has_own_position),
        members=members,
    )


def hearing_of(of_thread: str, of_club: str) -> Hearing:
    """Return what a thread listens to, of what was said in it (empty for nothing) and for its club."""
    return Hearing(listen=Listen(of_thread or of_club), said_here=bool(of_thread))


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


def thread_row(session: Session, conversation_id: str, *, to_move: bool = False) -> ConversationRow:
    """Return the row of a thread; one that is `to_move` is nobody else's to move until then.

    Raises:
        BookError: NOT_FOUND.
    """
    row = session.get(ConversationRow, conversation_id, with_for_update={"key_share": True} if to_move else None)
    if row is None:
        raise no_conversation(conversation_id)
    return row


def reading_row(session: Session, reading_id: str) -> ReadingRow:
    """Return the row of a reading. Raises BookError(NOT_FOUND)."""
    row = session.get(ReadingRow, reading_id)
    if row is None:
        raise no_reading()
    return row


def member_row(session: Session, reading_id: str, member_id: str) -> MemberPositionRow:
    """Return the row of a member in a reading, a new one where there is none; whoever changes it adds it."""
    row = session.get(MemberPositionRow, (reading_id, member_id))
    return row or MemberPositionRow(reading_id=reading_id, member_id=member_id)


def no_conversation(conversation_id: str) -> BookError:
    """Return what is raised where a conversation is not there any more."""
    return BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")


def no_reading() -> BookError:
    """Return what is raised where a reading is not there any more."""
    return BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")


def _members_of(unit: Unit, reading_id: str) -> tuple[MemberPosition, ...]:
    """Return where those members stand who have spoken, or have said a page of their own."""
    rows = unit.all(_OF_MEMBERS, {"reading_id": reading_id})
    return tuple(
        MemberPosition(member_id=row.member_id, position=row.current_page, last_spoke_at=row.last_spoke_at)
        for row in rows
    )
