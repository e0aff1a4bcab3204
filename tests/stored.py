"""Every store over one database, and functions that read its tables back."""

from datetime import UTC, datetime
from typing import TypeVar

from sqlmodel import Session, col, select, update

from adapters.persistence import moves, position_changes
from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.bookmarks import SqlBookmarks
from adapters.persistence.books import SqlBookRepository
from adapters.persistence.club_life_tables import LaterQuestionRow
from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.club_record import SqlClubRecord
from adapters.persistence.club_texts import SqlClubTexts
from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.columns import Row
from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.inbox import SqlInbox
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.left_servers import SqlLeftServerRepository
from adapters.persistence.notes import SqlNoteRepository
from adapters.persistence.polls import SqlPollRepository
from adapters.persistence.reading_states import (
    edition_from_json,
    reading_of,
    reading_row,
    standing_of,
    standing_of_thread,
)
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository, open_items
from adapters.persistence.tables import MemberPositionRow, MessageRow, TurnRow
from adapters.persistence.threads import SqlThreadRepository
from adapters.persistence.timers import SqlTimerTable
from adapters.persistence.turn_record import SqlTurnRecord
from adapters.persistence.vectors import SqlVectorRepository
from adapters.persistence.watches import SqlWatches
from bot.system_clock import SystemClock
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionChange, ReadingState
from core.domain.sealed_item import SealedItem
from core.domain.tool_use import ToolInvocation
from core.ports.clock import Clock

AnyRow = TypeVar("AnyRow", bound=Row)
MODEL_ID = "hash-1-128"


class Places:
    """The current pages of clubs, threads and members in one database, read and set without side effects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def standing(self, conversation_id: str) -> ReadingState:
        """Return the pages of a thread, its reading and its members. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: standing_of_thread(session, conversation_id))

    async def reading_standing(self, reading_id: str) -> ReadingState:
        """Return the pages of a reading and its members. Raises BookError(NOT_FOUND)."""
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

    async def set_member_position(self, reading_id: str, member_id: str, position: Position) -> None:
        """Move a member's own page."""

        def work(session: Session) -> None:
            reading = reading_of(reading_row(session, reading_id))
            now = datetime.now(UTC)  # only what is told in a thread asks for it
            moves.move_member(session, reading, position, member_id=member_id, told_in=None, now=now)

        await self._database.write(work)

    async def latest_change(self, reading_id: str, conversation_id: str | None = None) -> PositionChange | None:
        """Return the change that `undo` takes back."""
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

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return a member's copy, or the copy of the whole reading."""

        def stored(session: Session) -> dict[str, object] | None:
            if member_id is None:
                return reading_row(session, reading_id).edition
            row = session.get(MemberPositionRow, (reading_id, member_id))
            return row.edition if row else None

        return edition_from_json(await self._database.read(stored))

    async def opened(self, reading_id: str, reached: int) -> list[SealedItem]:
        """Open the sealed items up to a page that were not announced yet."""
        return await self._database.write(lambda session: open_items(session, reading_id, reached))

    async def told(self, later_id: int, *, page: int) -> None:
        """Note that a later question was brought back to its member at a page."""
        noted = update(LaterQuestionRow).where(col(LaterQuestionRow.later_id) == later_id).values(told_page=page)
        await self._database.write(lambda session: session.execute(noted))


class SqlStores:
    """One of each store, over the same data."""

    def __init__(self, database: Database, *, clock: Clock | None = None) -> None:
        self.database = database
        self.places = Places(database)
        self.books = SqlBookRepository(database, embedding_model_id=MODEL_ID)
        self.readings = SqlReadingRepository(database, clock=clock or SystemClock())
        self.conversations = SqlConversationRepository(database)
        self.messages = SqlChatMessageRepository(database)
        self.vectors = SqlVectorRepository(database)
        self.notes = SqlNoteRepository(database)
        self.clubs = SqlClubRepository(database)
        self.sealed_items = SqlSealedItemRepository(database)
        self.polls = SqlPollRepository(database)
        self.club_record = SqlClubRecord(database)
        self.inbox = SqlInbox(database)
        self.thread_states = SqlThreadRepository(database, embedding_model_id=MODEL_ID)
        self.record = SqlTurnRecord(database, embedding_model_id=MODEL_ID)
        self.timers = SqlTimerTable(database)
        self.kept_schedules = SqlScheduleRepository(database)
        self.aliases = SqlAliasRepository(database)
        self.marks = SqlBookmarks(database)
        self.texts = SqlClubTexts(database)
        self.left = SqlLeftServerRepository(database)
        self.later = SqlLaterQuestions(database)
        self.links = SqlClubLinks(database)
        self.watches = SqlWatches(database)

    async def rows(self, table: type[AnyRow]) -> list[AnyRow]:
        """Return all rows of a table."""
        return await self.database.read(lambda session: list(session.exec(select(table))))


async def said_in(database: Database, conversation_id: str) -> list[ChatMessage]:
    """Return all messages of a conversation, oldest first."""

    def work(session: Session) -> list[ChatMessage]:
        theirs = select(MessageRow).where(MessageRow.conversation_id == conversation_id)
        return [_message(row) for row in session.exec(theirs.order_by(col(MessageRow.message_id)))]

    return await database.read(work)


async def turns_in(database: Database, conversation_id: str) -> list[TurnRow]:
    """Return all turns of a conversation, oldest first."""

    def work(session: Session) -> list[TurnRow]:
        theirs = select(TurnRow).where(TurnRow.conversation_id == conversation_id)
        return list(session.exec(theirs.order_by(col(TurnRow.turn_number))))

    return await database.read(work)


def _message(row: MessageRow) -> ChatMessage:
    invocation = None
    if row.tool_name is not None:
        invocation = ToolInvocation(
            tool_name=row.tool_name, arguments=row.tool_arguments or {}, invocation_id=row.invocation_id or ""
        )
    return ChatMessage(
        role=Role(row.role),
        content=row.content,
        position=row.position,
        author=None if row.author_id is None else Author(member_id=row.author_id, display_name=row.author_name or ""),
        reveals_page=row.reveals_page,
        invocation=invocation,
        is_error=row.is_error,
        created_at=row.created_at,
        message_id=row.message_id,
        platform_ref=row.platform_ref,
    )
