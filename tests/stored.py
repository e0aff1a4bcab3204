"""What SQL holds of a conversation, read back whole: the product itself only ever reads what a context may hold."""

from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.reading_states import standing_of_thread
from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.reading import ReadingState
from core.domain.tool_use import ToolInvocation


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
