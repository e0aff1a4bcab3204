"""Moves of threads and readings: made, stored as rows, and undone; called by the reading repository.

A move of one club is made in the linked club too, in the same transaction. The code for links is imported only for
moves, since its tables take a twentieth of a second to import.
"""

from sqlmodel import Session, col, select

from adapters.persistence.reading_states import reading_row, thread_row
from adapters.persistence.tables import PositionChangeRow
from core.domain.position import Position
from core.domain.reading import PositionChange


def move_thread(
    session: Session, conversation_id: str, *, position: Position, has_own: bool, member_id: str
) -> PositionChange:
    """Move a thread and store the change."""
    thread = thread_row(session, conversation_id, to_move=True)
    change = PositionChangeRow(
        reading_id=thread.reading_id,
        conversation_id=conversation_id,
        member_id=member_id,
        from_page=thread.current_page,
        from_has_own=thread.has_own_position,
        to_page=position,
        to_has_own=has_own,
    )
    thread.current_page, thread.has_own_position = position, has_own
    session.add_all([thread, change])
    session.flush()
    return _change_of(change)


def move_reading(session: Session, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
    """Move a reading and store the change."""
    from adapters.persistence.linking import hold, move_beside

    reading = reading_row(session, reading_id)
    hold(session, reading)
    change = PositionChangeRow(
        reading_id=reading_id,
        member_id=member_id,
        from_page=reading.current_page,
        from_has_own=False,
        to_page=position,
        to_has_own=False,
    )
    reading.current_page = position
    session.add_all([reading, change])
    session.flush()
    move_beside(session, reading)
    return _change_of(change)


def latest_change(session: Session, reading_id: str, conversation_id: str | None) -> PositionChange | None:
    """Return the latest move of a thread, or of a reading, that was not undone; None if there is none."""
    from adapters.persistence.linking import latest_change as latest_of_reading

    if conversation_id is not None:
        row = _latest_of_thread(session, conversation_id)
    else:
        row = latest_of_reading(session, reading_row(session, reading_id))
    return None if row is None else _change_of(row)


def take_back_thread(session: Session, conversation_id: str, change_id: int | None) -> PositionChange | None:
    """Undo the latest move of a thread; None if there is none, or it isn't the given one."""
    thread = thread_row(session, conversation_id, to_move=True)
    change = _if_meant(_latest_of_thread(session, conversation_id), change_id)
    if change is None:
        return None
    thread.current_page, thread.has_own_position = change.from_page, change.from_has_own
    session.add(thread)
    return _taken_back(session, change)


def take_back_reading(session: Session, reading_id: str, change_id: int | None) -> PositionChange | None:
    """Undo the latest move of a reading itself; None if there is none, or it isn't the given one."""
    from adapters.persistence.linking import hold, latest_change, take_back_beside

    reading = reading_row(session, reading_id)
    hold(session, reading)
    change = _if_meant(latest_change(session, reading), change_id)
    if change is None:
        return None
    reading.current_page = change.from_page
    session.add(reading)
    take_back_beside(session, reading, change)
    return _taken_back(session, change)


def _latest_of_thread(session: Session, conversation_id: str) -> PositionChangeRow | None:
    return session.exec(
        select(PositionChangeRow)
        .where(PositionChangeRow.conversation_id == conversation_id, ~col(PositionChangeRow.undone))
        .order_by(col(PositionChangeRow.change_id).desc())
        .limit(1)
    ).first()


def _if_meant(change: PositionChangeRow | None, change_id: int | None) -> PositionChangeRow | None:
    """Return a move if it is the given one, or none was given."""
    return change if change is not None and change_id in {None, change.change_id} else None


def _taken_back(session: Session, change: PositionChangeRow) -> PositionChange:
    """Mark a move as undone, and return its reverse."""
    change.undone = True
    session.add(change)
    made = _change_of(change)
    return PositionChange(
        change_id=made.change_id,
        from_position=made.to_position,
        to_position=made.from_position,
        from_has_own=made.to_has_own,
        to_has_own=made.from_has_own,
    )


def _change_of(row: PositionChangeRow) -> PositionChange:
    return PositionChange(
        change_id=row.change_id or 0,
        member_id=row.member_id,
        from_position=row.from_page,
        to_position=row.to_page,
        from_has_own=row.from_has_own,
        to_has_own=row.to_has_own,
    )
