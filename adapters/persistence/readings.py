"""Clubs, readings and positions in SQL."""

import uuid

from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import (
    ClubRow,
    ConversationRow,
    MemberPositionRow,
    PositionChangeRow,
    ReadingRow,
    utc_now,
)
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import MemberPosition, Pace, PageControl, Position
from core.domain.reading import PositionChange, Reading, Standing
from core.ports.repositories import ReadingRepository


class SqlReadingRepository(ReadingRepository):
    """Readings by club and book; a position change is one row, so that it can be taken back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club, and make it the club's current one."""

        def work(session: Session) -> Reading:
            club = _club(session, scope, place) or ClubRow(club_id=_new_id("c"), scope=scope, place=place)
            session.add(club)
            session.flush()
            row = session.exec(
                select(ReadingRow).where(ReadingRow.club_id == club.club_id, ReadingRow.book_id == book_id)
            ).first() or ReadingRow(
                reading_id=_new_id("r"),
                club_id=club.club_id,
                book_id=book_id,
                pace=Pace.THREAD,
                page_control=PageControl.ANYONE,
            )
            row.last_used_at = utc_now()
            session.add(row)
            return _reading(row)

        return await self._database.write(work)

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: _reading(_reading_row(session, reading_id)))

    async def current(self, *, scope: str, place: str) -> Reading | None:
        """Return what the club reads now: the reading used last."""

        def work(session: Session) -> Reading | None:
            row = session.exec(
                select(ReadingRow)
                .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
                .where(ClubRow.scope == scope, ClubRow.place == place)
                .order_by(col(ReadingRow.last_used_at).desc())
            ).first()
            return _reading(row) if row else None

        return await self._database.read(work)

    async def standing(self, conversation_id: str) -> Standing:
        """Return where a thread, its reading and its members stand."""

        def work(session: Session) -> Standing:
            thread = _thread(session, conversation_id)
            members = session.exec(select(MemberPositionRow).where(MemberPositionRow.reading_id == thread.reading_id))
            return Standing(
                reading=_reading(_reading_row(session, thread.reading_id)),
                thread_position=thread.current_page,
                thread_has_own=thread.has_own_position,
                members=tuple(
                    MemberPosition(member_id=m.member_id, position=m.current_page, last_spoke_at=m.last_spoke_at)
                    for m in members
                    if m.last_spoke_at is not None
                ),
            )

        return await self._database.read(work)

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread and keep the change, so that it can be undone."""

        def work(session: Session) -> PositionChange:
            thread = _thread(session, conversation_id)
            change = PositionChangeRow(
                conversation_id=conversation_id,
                member_id=member_id,
                from_page=thread.current_page,
                from_has_own=thread.has_own_position,
                to_page=position,
                to_has_own=has_own,
            )
            thread.current_page, thread.has_own_position = position, has_own
            session.add_all([thread, change])
            return _change(change)

        return await self._database.write(work)

    async def undo(self, conversation_id: str) -> PositionChange | None:
        """Take back the latest change of a thread; None where there is nothing to take back."""

        def work(session: Session) -> PositionChange | None:
            thread = _thread(session, conversation_id)
            change = session.exec(
                select(PositionChangeRow)
                .where(PositionChangeRow.conversation_id == conversation_id, ~col(PositionChangeRow.undone))
                .order_by(col(PositionChangeRow.change_id).desc())
            ).first()
            if change is None:
                return None
            change.undone = True
            thread.current_page, thread.has_own_position = change.from_page, change.from_has_own
            session.add_all([thread, change])
            return PositionChange(
                from_position=change.to_page,
                to_position=change.from_page,
                from_has_own=change.to_has_own,
                to_has_own=change.from_has_own,
            )

        return await self._database.write(work)


def _club(session: Session, scope: str, place: str) -> ClubRow | None:
    return session.exec(select(ClubRow).where(ClubRow.scope == scope, ClubRow.place == place)).first()


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:12]}"


def _reading_row(session: Session, reading_id: str) -> ReadingRow:
    row = session.get(ReadingRow, reading_id)
    if row is None:
        raise BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")
    return row


def _thread(session: Session, conversation_id: str) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id)
    if row is None:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")
    return row


def _reading(row: ReadingRow) -> Reading:
    return Reading(
        reading_id=row.reading_id,
        club_id=row.club_id,
        book_id=row.book_id,
        current_page=row.current_page,
        pace=Pace(row.pace),
        page_control=PageControl(row.page_control),
    )


def _change(row: PositionChangeRow) -> PositionChange:
    return PositionChange(
        from_position=row.from_page,
        to_position=row.to_page,
        from_has_own=row.from_has_own,
        to_has_own=row.to_has_own,
    )
