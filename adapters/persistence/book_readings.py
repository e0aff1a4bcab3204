"""What becomes of the readings of a book that another takes the place of, or that is removed; called by the books."""

from sqlalchemy import update
from sqlmodel import Session, col, select

from adapters.persistence.book_contents import copy_book
from adapters.persistence.carrying_over import carry, carry_over
from adapters.persistence.linking import current_reading_row, end_links, reading_beside, tell
from adapters.persistence.notes import take_notes
from adapters.persistence.tables import BookRow, ClubRow, ConversationRow, GoneThreadRow, ReadingRow
from core.domain.club_link import News
from core.domain.edition import PlaceMap
from core.domain.thread import keeping, talk_of


def succeed(session: Session, old: BookRow, new: BookRow, places: PlaceMap) -> bool:
    """Let a book take another's place; False where a club reads both, and the old one stays."""
    pairs = _read_together(session, old.book_id)
    stayed = carry_over(session, old.book_id, new.book_id, places)
    if not stayed:
        take_notes(session, old, new, places.reveals)
    session.flush()
    for reading, other in pairs:
        if reading.book_id == new.book_id != other.book_id:
            _follow(session, new, reading, other, places)
    if not stayed:
        session.delete(old)
    return not stayed


def remove(session: Session, row: BookRow) -> None:
    """Delete a book with all that hangs on it; clubs that read it remember its title."""
    end_links(session, [one.club_id for one in _reading_now(session, row.book_id)], tell_both=True)
    readers = select(ReadingRow.club_id).where(ReadingRow.book_id == row.book_id)
    session.execute(update(ClubRow).where(col(ClubRow.club_id).in_(readers)).values(removed_title=row.title))
    for reading in session.exec(select(ReadingRow).where(ReadingRow.book_id == row.book_id)).all():
        _remember_threads(session, reading, row.title)
    session.delete(row)


def _remember_threads(session: Session, reading: ReadingRow, title: str) -> None:
    """Note the threads about a reading that goes: each is about that book for good."""
    scope = session.get_one(ClubRow, reading.club_id).scope
    theirs = select(ConversationRow.session_id).where(ConversationRow.reading_id == reading.reading_id)
    for session_id in session.exec(theirs).all():
        begins = talk_of(session_id, reading.reading_id)
        if begins and keeping(scope, begins) == begins:
            session.merge(GoneThreadRow(session_of=begins, club_id=reading.club_id, title=title))


def _read_together(session: Session, book_id: str) -> list[tuple[ReadingRow, ReadingRow]]:
    """Return the readings of a book that go with another club's, each with that."""
    readings = session.exec(select(ReadingRow).where(ReadingRow.book_id == book_id)).all()
    beside = ((one, reading_beside(session, one)) for one in readings)
    return [(one, other) for one, other in beside if other is not None]


def _follow(session: Session, new: BookRow, reading: ReadingRow, other: ReadingRow, places: PlaceMap) -> None:
    """Let the other club's reading go on in the import that a reading went on in; where it cannot, they part."""
    club = session.get_one(ClubRow, other.club_id)
    copy, _ = copy_book(session, new, scope=club.scope)
    both = (ReadingRow.club_id == club.club_id, ReadingRow.book_id == copy.book_id)
    if session.exec(select(ReadingRow).where(*both)).first() is not None:
        end_links(session, [reading.club_id], tell_both=True)
        return
    carry(session, [other], copy.book_id, places)
    tell(session, other.club_id, News.OPENED, of=reading.club_id, reading_id=other.reading_id)


def _reading_now(session: Session, book_id: str) -> list[ReadingRow]:
    """Return the readings of a book that are what their clubs read now."""
    readings = session.exec(select(ReadingRow).where(ReadingRow.book_id == book_id)).all()
    return [one for one in readings if current_reading_row(session, one.club_id) == one]
