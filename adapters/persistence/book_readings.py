"""Moves or ends the readings of a book that is replaced or removed; called by the book repository."""

from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, delete, inspect, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.book_contents import copy_book
from adapters.persistence.club_life_tables import AliasRow, ClubTextRow, LaterQuestionRow, PageSaidRow, SealedItemRow
from adapters.persistence.linking import current_reading_row, end_links, reading_beside, tell
from adapters.persistence.notes import take_notes
from adapters.persistence.reading_states import edition_as_json, edition_from_json
from adapters.persistence.schedules import carry_sections
from adapters.persistence.tables import (
    BookRow,
    ClubRow,
    ConversationRow,
    GoneThreadRow,
    MemberPositionRow,
    MessageRow,
    PositionChangeRow,
    ReadingRow,
    TurnRow,
)
from core.domain.club_link import News
from core.domain.edition import PlaceMap
from core.domain.thread import keeping, talk_of


def succeed(session: Session, old: BookRow, new: BookRow, places: PlaceMap) -> bool:
    """Replace a book with another; return False if a club reads both, so that the old one stays."""
    pairs = _read_together(session, old.book_id)
    stayed = _carry_over(session, old.book_id, new.book_id, places)
    if not stayed:
        take_notes(session, old, new, places.reveals)
    session.flush()
    for reading, other in pairs:
        if reading.book_id == new.book_id != other.book_id:
            _follow(session, new, reading, other, places)
    if not stayed:
        session.delete(old)
    return not stayed


def continue_in(session: Session, reading: ReadingRow, new: BookRow, places: PlaceMap) -> bool:
    """Let a reading, and the one linked with it, continue in another book; return False if its club reads both."""
    both = (ReadingRow.club_id == reading.club_id, ReadingRow.book_id == new.book_id)
    if session.exec(select(ReadingRow).where(*both)).first() is not None:
        return False
    other = reading_beside(session, reading)
    _carry(session, [reading], new.book_id, places)
    session.flush()
    if other is not None:
        _follow(session, new, reading, other, places)
    return True


def remove(session: Session, row: BookRow) -> None:
    """Delete a book with everything that depends on it; clubs that read it keep its title."""
    end_links(session, [one.club_id for one in _reading_now(session, row.book_id)], tell_both=True)
    readers = select(ReadingRow.club_id).where(ReadingRow.book_id == row.book_id)
    session.execute(update(ClubRow).where(col(ClubRow.club_id).in_(readers)).values(removed_title=row.title))
    for reading in session.exec(select(ReadingRow).where(ReadingRow.book_id == row.book_id)).all():
        _remember_threads(session, reading, row.title)
    session.delete(row)


def _remember_threads(session: Session, reading: ReadingRow, title: str) -> None:
    """Record the threads about a deleted reading: each stays about that book."""
    scope = session.get_one(ClubRow, reading.club_id).scope
    theirs = select(ConversationRow.session_id).where(ConversationRow.reading_id == reading.reading_id)
    for session_id in session.exec(theirs).all():
        begins = talk_of(session_id, reading.reading_id)
        if begins and keeping(scope, begins) == begins:
            session.merge(GoneThreadRow(session_of=begins, club_id=reading.club_id, title=title))


def _read_together(session: Session, book_id: str) -> list[tuple[ReadingRow, ReadingRow]]:
    """Return the readings of a book that are linked with another club's, each with that one."""
    readings = session.exec(select(ReadingRow).where(ReadingRow.book_id == book_id)).all()
    beside = ((one, reading_beside(session, one)) for one in readings)
    return [(one, other) for one, other in beside if other is not None]


def _follow(session: Session, new: BookRow, reading: ReadingRow, other: ReadingRow, places: PlaceMap) -> None:
    """Move the linked club's reading to the new import too; if that is impossible, end the link."""
    club = session.get_one(ClubRow, other.club_id)
    copy, _ = copy_book(session, new, scope=club.scope)
    both = (ReadingRow.club_id == club.club_id, ReadingRow.book_id == copy.book_id)
    if session.exec(select(ReadingRow).where(*both)).first() is not None:
        end_links(session, [reading.club_id], tell_both=True)
        return
    _carry(session, [other], copy.book_id, places)
    tell(session, other.club_id, News.OPENED, of=reading.club_id, reading_id=other.reading_id)


def _reading_now(session: Session, book_id: str) -> list[ReadingRow]:
    """Return the readings of a book that are current in their clubs."""
    readings = session.exec(select(ReadingRow).where(ReadingRow.book_id == book_id)).all()
    return [one for one in readings if current_reading_row(session, one.club_id) == one]


def _carry_over(session: Session, old_book_id: str, new_book_id: str, places: PlaceMap) -> int:
    """Move the readings of a book to another, with their pages converted; return how many could not be moved."""
    old = session.exec(select(ReadingRow).where(ReadingRow.book_id == old_book_id)).all()
    reads_both = set(session.exec(select(ReadingRow.club_id).where(ReadingRow.book_id == new_book_id)))
    moving = [reading for reading in old if reading.club_id not in reads_both]
    _carry(session, moving, new_book_id, places)
    return len(old) - len(moving)


def _carry(session: Session, moving: Sequence[ReadingRow], new_book_id: str, places: PlaceMap) -> None:
    """Move some readings to another book, with their pages converted."""
    for reading in moving:
        reading.book_id = new_book_id
        reading.current_page = places.position(reading.current_page)
        reading.edition = edition_as_json(places.edition(edition_from_json(reading.edition)))
        session.add(reading)
        for member in session.exec(select(MemberPositionRow).where(MemberPositionRow.reading_id == reading.reading_id)):
            member.current_page = places.position(member.current_page)
            member.recapped_page = places.position(member.recapped_page)
            member.edition = edition_as_json(places.edition(edition_from_json(member.edition)))
            session.add(member)
        carry_sections(session, reading.reading_id, places)
    # Texts about the old pages cite them.
    _forget_texts(session, [reading.reading_id for reading in moving])
    _move_threads(session, [reading.reading_id for reading in moving], places)


def _forget_texts(session: Session, reading_ids: Sequence[str]) -> None:
    session.execute(delete(ClubTextRow).where(col(ClubTextRow.reading_id).in_(reading_ids)))


def _move_threads(session: Session, reading_ids: Sequence[str], places: PlaceMap) -> None:
    """Convert positions downwards and reveal pages upwards: no later text may enter an earlier context."""
    down, up = places.position, places.reveals
    in_readings = col(ConversationRow.reading_id).in_(reading_ids)
    threads = sql_select(col(ConversationRow.conversation_id)).where(in_readings)
    _rewrite(session, ConversationRow, in_readings, current_page=down)
    _rewrite(session, PageSaidRow, col(PageSaidRow.reading_id).in_(reading_ids), page=down)
    _rewrite(
        session, LaterQuestionRow, col(LaterQuestionRow.reading_id).in_(reading_ids), asked_page=down, told_page=up
    )
    _rewrite(session, AliasRow, col(AliasRow.reading_id).in_(reading_ids), page=up)
    _rewrite(
        session, PositionChangeRow, col(PositionChangeRow.reading_id).in_(reading_ids), from_page=down, to_page=down
    )
    _rewrite(session, SealedItemRow, col(SealedItemRow.reading_id).in_(reading_ids), made_at=up, opens_at=up)
    _rewrite(session, MessageRow, col(MessageRow.conversation_id).in_(threads), position=up, reveals_page=up)
    _rewrite(session, TurnRow, col(TurnRow.conversation_id).in_(threads), position=up)


def _rewrite(
    session: Session,
    table: type[SQLModel],
    which: ColumnElement[bool],
    **columns: Callable[[int | None], int | None],
) -> None:
    """Convert the page in each of some columns."""
    (key,) = inspect(table).primary_key
    names = (key.name, *columns)
    rows = session.execute(sql_select(*(getattr(table, name) for name in names)).where(which)).all()
    moved = [
        {key.name: row[0], **{name: move(page) for (name, move), page in zip(columns.items(), row[1:], strict=True)}}
        for row in rows
    ]
    if moved:
        session.execute(update(table), moved)
