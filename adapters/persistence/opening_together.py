"""Opens a book in the linked club too, in the same transaction."""

from sqlalchemy import update
from sqlmodel import Session, col

from adapters.persistence.book_contents import copy_book
from adapters.persistence.club_life_tables import ClubLinkRow, ScheduleRow
from adapters.persistence.linking import current_reading_row, latest_change_id, put, tell
from adapters.persistence.schedules import keep_beside
from adapters.persistence.tables import BookRow, ClubRow, ReadingRow
from adapters.persistence.using_books import use_book
from core.domain.club_link import News, page_in_next_book
from core.domain.position import Position


def open_beside(session: Session, opened: ReadingRow) -> None:
    """Open the same book in the linked club; nothing changes if it reads it already."""
    link = session.get(ClubLinkRow, opened.club_id)
    if link is None:
        return
    text = session.get_one(BookRow, opened.book_id).content_hash
    now = current_reading_row(session, link.other_id)
    if now is not None and session.get_one(BookRow, now.book_id).content_hash == text:
        return
    other = read_same(session, opened, link.other_id)
    stand_together(session, opened, other, page_in_next_book(opened.current_page, other.current_page))
    tell(session, other.club_id, News.OPENED, of=opened.club_id, reading_id=other.reading_id)


def read_same(session: Session, reading: ReadingRow, club_id: str) -> ReadingRow:
    """Let a club read the text of another club's reading, in a copy in its own scope."""
    club = session.get_one(ClubRow, club_id)
    copy, _ = copy_book(session, session.get_one(BookRow, reading.book_id), scope=club.scope)
    return use_book(session, scope=club.scope, place=club.place, book_id=copy.book_id)


def stand_together(
    session: Session, one: ReadingRow, other: ReadingRow, page: Position, *, member_id: str = ""
) -> None:
    """Move both readings to a page; the first one's dates apply to both, or else the other's.

    Earlier moves can't be undone while they read together.
    """
    for reading, by in ((one, member_id), (other, "")):
        if reading.current_page != page:
            put(session, reading, page, member_id=by)
    session.flush()
    both = col(ClubLinkRow.club_id).in_((one.club_id, other.club_id))
    session.execute(update(ClubLinkRow).where(both).values(after_change=latest_change_id(session)))
    dated = one if session.get(ScheduleRow, one.reading_id) is not None else other
    keep_beside(session, dated.reading_id)
