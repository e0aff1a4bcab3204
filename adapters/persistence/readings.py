"""Clubs, readings and positions in SQL."""

from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.position_changes import (
    latest_change,
    move_reading,
    move_thread,
    take_back_reading,
    take_back_thread,
)
from adapters.persistence.reading_states import (
    current_thread,
    edition_as_json,
    edition_from_json,
    member_row,
    reading_of,
    reading_row,
    standing_of,
    standing_of_thread,
)
from adapters.persistence.tables import ConversationRow, MemberPositionRow, ReadingRow
from adapters.persistence.using_books import removed_title, use_book
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionChange, Reading, ReadingState
from core.ports.readings import ReadingRepository


class SqlReadingRepository(ReadingRepository):
    """Readings by club and book; a position change is one row, so that it can be taken back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club, and make it the club's current one."""
        from adapters.persistence.opening_together import open_beside

        def work(session: Session) -> Reading:
            opened = use_book(session, scope=scope, place=place, book_id=book_id)
            open_beside(session, opened)
            return reading_of(opened)

        return await self._database.write(work)

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: reading_of(reading_row(session, reading_id)))

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        """Return what a thread reads: its first reading, for good; without one what its club used last."""

        def work(session: Session) -> Reading | None:
            found = current_thread(session, scope=scope, place=place, session_of=session_of)
            return None if found is None else reading_of(found[0])

        return await self._database.read(work)

    async def removed_title(self, *, scope: str, place: str, session_of: str = "") -> str | None:
        """Return the title of the book that a thread, or else its club, was about when it was removed."""
        return await self._database.read(
            lambda session: removed_title(session, scope=scope, place=place, session_of=session_of)
        )

    async def standing(self, conversation_id: str) -> ReadingState:
        """Return where a thread, its reading and its members stand."""
        return await self._database.read(lambda session: standing_of_thread(session, conversation_id))

    async def reading_standing(self, reading_id: str) -> ReadingState:
        """Return where a reading itself and its members stand."""
        return await self._database.read(lambda session: standing_of(session, reading_row(session, reading_id)))

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread and keep the change, so that it can be undone."""
        return await self._database.write(
            lambda session: move_thread(
                session, conversation_id, position=position, has_own=has_own, member_id=member_id
            )
        )

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        """Move a reading and keep the change, so that it can be undone."""
        return await self._database.write(
            lambda session: move_reading(session, reading_id, position=position, member_id=member_id)
        )

    async def latest_change(self, reading_id: str, conversation_id: str | None = None) -> PositionChange | None:
        """Return the change of a thread that `undo` takes back, or that of a reading."""
        return await self._database.read(lambda session: latest_change(session, reading_id, conversation_id))

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a thread."""
        return await self._database.write(lambda session: take_back_thread(session, conversation_id, change_id))

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a reading itself."""
        return await self._database.write(lambda session: take_back_reading(session, reading_id, change_id))

    async def own_positions(self, reading_id: str) -> list[str]:
        """Return the session ids of the threads that hold a position of their own."""
        theirs = (
            select(ConversationRow.session_id)
            .where(ConversationRow.reading_id == reading_id, col(ConversationRow.has_own_position))
            .order_by(col(ConversationRow.created_at))
        )
        return await self._database.read(lambda session: list(session.exec(theirs)))

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return the copy that a member reads from, or that the whole reading goes by."""

        def work(session: Session) -> Edition | None:
            if member_id is None:
                return edition_from_json(reading_row(session, reading_id).edition)
            row = session.get(MemberPositionRow, (reading_id, member_id))
            return edition_from_json(row.edition) if row else None

        return await self._database.read(work)

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Keep what is known of a member's copy, or of the whole reading's; None forgets it."""

        def work(session: Session) -> None:
            row: ReadingRow | MemberPositionRow = reading_row(session, reading_id)
            if member_id is not None:
                row = member_row(session, reading_id, member_id)
            row.edition = edition_as_json(edition)
            session.add(row)

        await self._database.write(work)
