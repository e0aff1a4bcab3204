"""Moves of threads and readings as rows, so that they can be taken back; called by the readings."""

from sqlmodel import Session, col, select

from adapters.persistence.tables import PositionChangeRow
from core.domain.reading import PositionChange


def latest_change(
    session: Session, reading_id: str, conversation_id: str | None, change_id: int | None
) -> PositionChangeRow | None:
    """Return the latest move of a thread, or of a reading itself; None where it is not the one that is meant."""
    change = session.exec(
        select(PositionChangeRow)
        .where(
            PositionChangeRow.reading_id == reading_id,
            PositionChangeRow.conversation_id == conversation_id,
            ~col(PositionChangeRow.undone),
        )
        .order_by(col(PositionChangeRow.change_id).desc())
    ).first()
    return change if change is not None and change_id in {None, change.change_id} else None


def taken_back(change: PositionChange) -> PositionChange:
    """Return a move as it is when it has been taken back."""
    return PositionChange(
        change_id=change.change_id,
        from_position=change.to_position,
        to_position=change.from_position,
        from_has_own=change.to_has_own,
        to_has_own=change.from_has_own,
    )


def change_of(row: PositionChangeRow) -> PositionChange:
    """Return a row's move."""
    return PositionChange(
        change_id=row.change_id or 0,
        from_position=row.from_page,
        to_position=row.to_page,
        from_has_own=row.from_has_own,
        to_has_own=row.to_has_own,
    )
