"""Where clubs, threads and members stand, row by row: the product moves and reads each with all that follows."""

from sqlmodel import Session, col, select, update

from adapters.persistence import position_changes
from adapters.persistence.club_life_tables import LaterQuestionRow
from adapters.persistence.database import Database
from adapters.persistence.reading_states import (
    edition_from_json,
    reading_row,
    standing_of,
    standing_of_thread,
)
from adapters.persistence.sealed_items import open_items
from adapters.persistence.tables import ConversationRow, MemberPositionRow
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionChange, ReadingState
from core.domain.sealed_item import SealedItem


class Places:
    """The places of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def standing(self, conversation_id: str) -> ReadingState:
        """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: standing_of_thread(session, conversation_id))

    async def reading_standing(self, reading_id: str) -> ReadingState:
        """Return where a reading itself and its members stand. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: standing_of(session, reading_row(session, reading_id)))

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread."""
        return await self._database.write(
            lambda session: position_changes.move_thread(
                session, conversation_id, position=position, has_own=has_own, member_id=member_id
            )
        )

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        """Move a reading."""
        return await self._database.write(
            lambda session: position_changes.move_reading(session, reading_id, position=position, member_id=member_id)
        )

    async def latest_change(self, reading_id: str, conversation_id: str | None = None) -> PositionChange | None:
        """Return what `undo` takes back."""
        return await self._database.read(
            lambda session: position_changes.latest_change(session, reading_id, conversation_id)
        )

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a thread."""
        return await self._database.write(
            lambda session: position_changes.take_back_thread(session, conversation_id, change_id)
        )

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a reading itself."""
        return await self._database.write(
            lambda session: position_changes.take_back_reading(session, reading_id, change_id)
        )

    async def own_positions(self, reading_id: str) -> list[str]:
        """Return the session ids of the threads that hold a page of their own."""
        theirs = select(ConversationRow.session_id).where(
            ConversationRow.reading_id == reading_id, col(ConversationRow.has_own_position)
        )
        return await self._database.read(lambda session: list(session.exec(theirs)))

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return the copy that a member reads from, or that the whole reading goes by."""

        def stored(session: Session) -> dict[str, object] | None:
            if member_id is None:
                return reading_row(session, reading_id).edition
            row = session.get(MemberPositionRow, (reading_id, member_id))
            return row.edition if row else None

        return edition_from_json(await self._database.read(stored))

    async def opened(self, reading_id: str, reached: int) -> list[SealedItem]:
        """Open what was left up to a page and was not told of yet."""
        return await self._database.write(lambda session: open_items(session, reading_id, reached))

    async def told(self, later_id: int, *, page: int) -> None:
        """Note that a question came back to its member at a page."""
        noted = update(LaterQuestionRow).where(col(LaterQuestionRow.later_id) == later_id).values(told_page=page)
        await self._database.write(lambda session: session.execute(noted))
