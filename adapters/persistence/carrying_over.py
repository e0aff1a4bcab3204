"""Readings that go on in another import of their book, with all that knows of pages; called by the books."""

from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, delete, inspect, select, update
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from adapters.persistence.club_life_tables import AliasRow, ClubTextRow, KeepsakeRow, LaterQuestionRow, PageSaidRow
from adapters.persistence.editions import edition_as_json, edition_from_json
from adapters.persistence.schedules import carry_sections
from adapters.persistence.tables import (
    ConversationRow,
    MemberPositionRow,
    MessageRow,
    PositionChangeRow,
    ReadingRow,
    TurnRow,
)
from core.domain.edition import PlaceMap


def carry_over(session: Session, old_book_id: str, new_book_id: str, places: PlaceMap) -> int:
    """Move the readings of a book to another, and their pages with them; return how many stayed behind."""
    old = session.exec(select_rows(ReadingRow).where(ReadingRow.book_id == old_book_id)).all()
    reads_both = set(session.exec(select_rows(ReadingRow.club_id).where(ReadingRow.book_id == new_book_id)))
    moving = [reading for reading in old if reading.club_id not in reads_both]
    carry(session, moving, new_book_id, places)
    return len(old) - len(moving)


def carry(session: Session, moving: Sequence[ReadingRow], new_book_id: str, places: PlaceMap) -> None:
    """Move some readings to another book, and their pages with them."""
    for reading in moving:
        reading.book_id = new_book_id
        reading.current_page = places.position(reading.current_page)
        reading.edition = edition_as_json(places.edition(edition_from_json(reading.edition)))
        session.add(reading)
        for member in session.exec(
            select_rows(MemberPositionRow).where(MemberPositionRow.reading_id == reading.reading_id)
        ):
            member.current_page = places.position(member.current_page)
            member.recapped_page = places.position(member.recapped_page)
            member.edition = edition_as_json(places.edition(edition_from_json(member.edition)))
            session.add(member)
        carry_sections(session, reading.reading_id, places)
    # What was written about the old pages cites them.
    _forget_texts(session, [reading.reading_id for reading in moving])
    _move_threads(session, [reading.reading_id for reading in moving], places)


def _forget_texts(session: Session, reading_ids: Sequence[str]) -> None:
    session.execute(delete(ClubTextRow).where(col(ClubTextRow.reading_id).in_(reading_ids)))


def _move_threads(session: Session, reading_ids: Sequence[str], places: PlaceMap) -> None:
    """Move positions down, and what was told up: nothing written at a later place may come into an earlier context."""
    down, up = places.position, places.reveals
    in_readings = col(ConversationRow.reading_id).in_(reading_ids)
    threads = select(col(ConversationRow.conversation_id)).where(in_readings)
    _rewrite(session, ConversationRow, in_readings, current_page=down)
    _rewrite(session, PageSaidRow, col(PageSaidRow.reading_id).in_(reading_ids), page=down)
    _rewrite(
        session, LaterQuestionRow, col(LaterQuestionRow.reading_id).in_(reading_ids), asked_page=down, told_page=up
    )
    _rewrite(session, AliasRow, col(AliasRow.reading_id).in_(reading_ids), page=up)
    _rewrite(
        session, PositionChangeRow, col(PositionChangeRow.reading_id).in_(reading_ids), from_page=down, to_page=down
    )
    _rewrite(session, KeepsakeRow, col(KeepsakeRow.reading_id).in_(reading_ids), made_at=up, opens_at=up)
    _rewrite(session, MessageRow, col(MessageRow.conversation_id).in_(threads), position=up, reveals_page=up)
    _rewrite(session, TurnRow, col(TurnRow.conversation_id).in_(threads), position=up)


def _rewrite(
    session: Session,
    table: type[SQLModel],
    which: ColumnElement[bool],
    **columns: Callable[[int | None], int | None],
) -> None:
    """Put another page in place of each page in some columns."""
    (key,) = inspect(table).primary_key
    names = (key.name, *columns)
    rows = session.execute(select(*(getattr(table, name) for name in names)).where(which)).all()
    moved = [
        {key.name: row[0], **{name: move(page) for (name, move), page in zip(columns.items(), row[1:], strict=True)}}
        for row in rows
    ]
    if moved:
        session.execute(update(table), moved)
