"""Loads a club's current reading and everyone's position within a transaction."""

from datetime import datetime

from sqlmodel import Session

from adapters.persistence.aliases import aliases_of
from adapters.persistence.book_contents import outline_of
from adapters.persistence.linking import reading_beside
from adapters.persistence.position_changes import latest_change
from adapters.persistence.reading_states import conversation_of, edition_from_json, reading_of, standing_of
from adapters.persistence.schedules import schedule_of
from adapters.persistence.tables import BookRow, ConversationRow, MemberPositionRow, MemberThreadRow, ReadingRow
from core.domain.book import Book
from core.domain.club_state import ClubState
from core.domain.position import AnswerIn


def club_state(
    session: Session,
    reading: ReadingRow,
    thread: ConversationRow | None,
    talk: ConversationRow | None,
    *,
    book: Book,
    member_id: str,
    now: datetime,
) -> ClubState:
    """Return the state of a reading, or of one of its threads, and of a member who writes there."""
    own = session.get(MemberPositionRow, (reading.reading_id, member_id))
    asked = None if talk is None else session.get(MemberThreadRow, (talk.conversation_id, member_id))
    linked = reading_beside(session, reading)
    return ClubState(
        now=now,
        member_id=member_id,
        owner=reading_of(reading) if thread is None else conversation_of(thread, reading),
        book=book,
        outline=outline_of(session, session.get_one(BookRow, reading.book_id)),
        standing=standing_of(session, reading, thread),
        own_page=None if own is None else own.current_page,
        own_edition=None if own is None else edition_from_json(own.edition),
        club_edition=edition_from_json(reading.edition),
        answer_in=None if asked is None else AnswerIn(asked.answer_in),
        last_change=latest_change(session, reading.reading_id, None if thread is None else thread.conversation_id),
        schedule=schedule_of(session, reading.reading_id),
        linked=None if linked is None else reading_of(linked),
        aliases=tuple(aliases_of(session, reading.reading_id)),
    )
