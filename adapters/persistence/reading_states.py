"""Loads the states of readings, threads and members, and their rows for changes."""

from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import exists, literal, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from adapters.persistence.tables import ClubRow, ConversationRow, GoneThreadRow, MemberPositionRow, ReadingRow
from core.domain.conversation import Conversation
from core.domain.edition import Edition
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import MemberPosition, Pace, PageControl
from core.domain.reading import Listen, ListeningRule, Reading, ReadingState
from core.domain.thread import keeping

_KEPT: Final = aliased(ConversationRow)
_EDITION: Final = TypeAdapter[Edition | None](Edition | None)


def current_thread(
    session: Session, *, scope: str, place: str, session_of: str, about: str = ""
) -> tuple[ReadingRow, ConversationRow | None, ClubRow] | None:
    """Return a thread's rows: the reading that it is about, else the one its club used last.

    `session_of` begins the thread's session ids; `about` restricts it to one reading. The conversation is None if the
    thread has none yet. Returns None for a thread whose book was removed.
    """
    keeps = keeping(scope, session_of)
    this_one = (ReadingRow.reading_id == about,) if about else ()
    gone = exists().where(col(GoneThreadRow.session_of) == keeps)
    found = session.exec(
        select(ReadingRow, ConversationRow, ClubRow)
        .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
        .outerjoin(ConversationRow, col(ConversationRow.session_id) == literal(session_of) + col(ReadingRow.reading_id))
        .outerjoin(_KEPT, col(_KEPT.session_id) == literal(keeps) + col(ReadingRow.reading_id))
        .where(
            ClubRow.scope == scope, ClubRow.place == place, or_(col(_KEPT.session_id).is_not(None), ~gone), *this_one
        )
        .order_by(col(_KEPT.session_id).is_(None), col(_KEPT.created_at), col(ReadingRow.last_used_at).desc())
        .limit(1)
    ).first()
    return None if found is None else (found[0], found[1], found[2])


def standing_of_thread(session: Session, conversation_id: str) -> ReadingState:
    """Return the positions of a thread, its reading and its members. Raises BookError(NOT_FOUND)."""
    thread = thread_row(session, conversation_id)
    return standing_of(session, reading_row(session, thread.reading_id), thread)


def standing_of(
    session: Session, row: ReadingRow, thread: ConversationRow | None = None, *, every_member: bool = True
) -> ReadingState:
    """Return the positions of a reading or a thread; those of members always, or only if the pace waits for them."""
    reading = reading_of(row)
    return ReadingState(
        reading=reading,
        thread_position=thread.current_page if thread else None,
        thread_has_own=thread is not None and thread.has_own_position,
        members=_members_of(session, row.reading_id) if every_member or reading.pace is Pace.SLOWEST else (),
    )


def hearing_of(of_thread: str, of_club: str) -> ListeningRule:
    """Return the listening rule of a thread, from its own setting ("" for none) and its club's."""
    return ListeningRule(listen=Listen(of_thread or of_club), said_here=bool(of_thread))


def reading_of(row: ReadingRow) -> Reading:
    """Return the reading of a row."""
    return Reading(
        reading_id=row.reading_id,
        club_id=row.club_id,
        book_id=row.book_id,
        current_page=row.current_page,
        pace=Pace(row.pace),
        page_control=PageControl(row.page_control),
    )


def conversation_of(thread: ConversationRow, reading: ReadingRow) -> Conversation:
    """Return the conversation of a thread about its reading."""
    return Conversation(
        conversation_id=thread.conversation_id,
        session_id=thread.session_id,
        reading_id=reading.reading_id,
        book_id=reading.book_id,
    )


def thread_row(session: Session, conversation_id: str, *, to_move: bool = False) -> ConversationRow:
    """Return the row of a thread; `to_move` locks it until the transaction ends.

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
    """Return a member's row in a reading, or a new one, which the caller adds to the session."""
    row = session.get(MemberPositionRow, (reading_id, member_id))
    return row or MemberPositionRow(reading_id=reading_id, member_id=member_id)


def edition_as_json(edition: Edition | None) -> dict[str, object] | None:
    """Return an edition in the form that a row stores."""
    stored: dict[str, object] | None = _EDITION.dump_python(edition, mode="json")
    return stored


def edition_from_json(stored: dict[str, object] | None) -> Edition | None:
    """Return the edition that a row stores."""
    return _EDITION.validate_python(stored)


def no_conversation(conversation_id: str) -> BookError:
    """Return the error for a conversation that doesn't exist."""
    return BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")


def no_reading() -> BookError:
    """Return the error for a reading that doesn't exist."""
    return BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")


def _members_of(session: Session, reading_id: str) -> tuple[MemberPosition, ...]:
    """Return the positions of members who have spoken or set their own page."""
    row = MemberPositionRow
    rows = session.exec(
        select(row.member_id, row.current_page, row.last_spoke_at).where(
            row.reading_id == reading_id, or_(col(row.last_spoke_at).is_not(None), col(row.current_page).is_not(None))
        )
    )
    return tuple(MemberPosition(member_id=who, position=page, last_spoke_at=spoke) for who, page, spoke in rows)
