"""Moves of pages, with their effects in the same transaction: sealed items, saved questions, new state."""

from datetime import datetime

from sqlmodel import Session, col, select

from adapters.persistence.book_contents import outline_of
from adapters.persistence.club_life_tables import PageSaidRow
from adapters.persistence.later_questions import later_rows, question_of
from adapters.persistence.position_changes import move_reading, move_thread, take_back_reading, take_back_thread
from adapters.persistence.reading_states import member_row, reading_row, standing_of, thread_row
from adapters.persistence.schedules import schedule_of
from adapters.persistence.sealed_items import open_items
from adapters.persistence.stored_books import StoredBooks, in_story
from adapters.persistence.tables import BookRow, ConversationRow, PageRow
from adapters.persistence.timers import keep_timer
from core.domain.club_state import MoveMade
from core.domain.conversation import Conversation
from core.domain.later import brings_back, comes_back
from core.domain.passage import readable
from core.domain.position import Position
from core.domain.reading import PositionChange, PositionOwner, ReadingState
from core.domain.thread import Thread

_MOST_BLANK = 20
"""At most this many consecutive pages are blank."""


def move(
    session: Session,
    owner: PositionOwner,
    position: Position,
    *,
    has_own: bool,
    member_id: str,
    told_in: Thread | None,
    now: datetime,
) -> MoveMade:
    """Move a thread or a reading; if told in a thread, open and bring back what was left for there."""
    if isinstance(owner, Conversation):
        change = move_thread(session, owner.conversation_id, position=position, has_own=has_own, member_id=member_id)
    else:
        change = move_reading(session, owner.reading_id, position=position, member_id=member_id)
    return follow_up(session, owner, change, told_in=told_in, now=now)


def follow_up(
    session: Session, owner: PositionOwner, change: PositionChange | None, *, told_in: Thread | None, now: datetime
) -> MoveMade:
    """Return the state after a move; if told in a thread, open and bring back what was left for there."""
    session.flush()
    standing = _standing(session, owner)
    reached = standing.public(now)
    opened = []
    if told_in is not None:
        _bring_back(session, owner, standing, told_in, now)
        opened = [] if reached is None else open_items(session, owner.reading_id, reached)
    own_pages = (
        select(ConversationRow.session_id)
        .where(ConversationRow.reading_id == owner.reading_id, col(ConversationRow.has_own_position))
        .order_by(col(ConversationRow.created_at))
    )
    return MoveMade(
        change=change,
        standing=standing,
        last_page_read=_last_page_read(session, owner.book_id, standing.set_for_all),
        opened=tuple(opened),
        own_pages=tuple(session.exec(own_pages)),
    )


def undo(session: Session, owner: PositionOwner, change_id: int | None, *, now: datetime) -> MoveMade | None:
    """Undo the latest move of a thread or a reading; None if there is none, or it isn't the given one."""
    if isinstance(owner, Conversation):
        change = take_back_thread(session, owner.conversation_id, change_id)
    else:
        change = take_back_reading(session, owner.reading_id, change_id)
    return None if change is None else follow_up(session, owner, change, told_in=None, now=now)


def move_member(
    session: Session,
    owner: PositionOwner,
    position: Position,
    *,
    member_id: str,
    told_in: Thread | None,
    now: datetime,
) -> str:
    """Move a member's own page and bring back their saved questions; return the text of the last page read."""
    row = member_row(session, owner.reading_id, member_id)
    row.current_page = position
    session.add(row)
    if position is not None:
        session.add(PageSaidRow(reading_id=owner.reading_id, member_id=member_id, page=position))
    session.flush()
    if told_in is not None:
        _bring_back(session, owner, _standing(session, owner), told_in, now)
    return _last_page_read(session, owner.book_id, position)


def _standing(session: Session, owner: PositionOwner) -> ReadingState:
    thread = thread_row(session, owner.conversation_id) if isinstance(owner, Conversation) else None
    return standing_of(session, reading_row(session, owner.reading_id), thread)


def _bring_back(session: Session, owner: PositionOwner, standing: ReadingState, told_in: Thread, now: datetime) -> None:
    """Schedule the saved questions whose members have now read far enough."""
    kept = later_rows(session, owner.reading_id)
    if not kept:
        return
    outline = outline_of(session, session.get_one(BookRow, owner.book_id))
    schedule = schedule_of(session, owner.reading_id)
    ends = [] if schedule is None else [section.last_page for section in schedule.sections]
    own = {member.member_id: member.position for member in standing.members if member.position is not None}
    for row in kept:
        position = own.get(row.member_id, standing.public(now)) or 0
        if comes_back(row.told_page, position, story_end=outline.at(position).story_end, section_ends=ends):
            keep_timer(session, brings_back(question_of(row), told_in, now))
            row.told_page = position
            session.add(row)


def _last_page_read(session: Session, book_id: str, position: Position) -> str:
    """Return the text of the last readable page that has any; "" if nothing is read."""
    book = StoredBooks(embedding_model_id=None).book(session, session.get_one(BookRow, book_id))
    span = readable(book, position)
    pages = select(PageRow.text).where(
        PageRow.book_id == span.book_id,
        col(PageRow.number).between(span.first_page, span.last_page),
        in_story(col(PageRow.book_id), col(PageRow.number)),
    )
    texts = session.exec(pages.order_by(col(PageRow.number).desc()).limit(_MOST_BLANK))
    return next((text for text in texts if text.strip()), "")
