"""Every store over one database, and what SQL holds, read back whole."""

from typing import TypeVar

from sqlmodel import Session, col, select

from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.bookmarks import SqlBookmarks
from adapters.persistence.books import SqlBookRepository
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
from adapters.persistence.reading_states import standing_of_thread
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
from adapters.persistence.tables import MessageRow, TurnRow
from adapters.persistence.threads import SqlThreadRepository
from adapters.persistence.timers import SqlTimerTable
from adapters.persistence.turn_record import SqlTurnRecord
from adapters.persistence.vectors import SqlVectorRepository
from adapters.persistence.watches import SqlWatches
from bot.system_clock import SystemClock
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.reading import ReadingState
from core.domain.tool_use import ToolInvocation
from core.ports.clock import Clock
from tests.places import Places

AnyRow = TypeVar("AnyRow", bound=Row)
MODEL_ID = "hash-1-128"


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


async def standing_of(database: Database, conversation_id: str) -> ReadingState:
    """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""
    return await database.read(lambda session: standing_of_thread(session, conversation_id))


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
