"""Conversations and their messages in SQL."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.database import Database
from adapters.persistence.keyed_rows import no_conversation
from adapters.persistence.tables import ConversationRow, MessageRow, ReadingRow, TurnRow, utc_now
from core.domain.conversation import Author, ChatMessage, Conversation, Role
from core.domain.position import Position
from core.domain.reading import Listen
from core.domain.thread import talk_of
from core.domain.tool_use import ToolInvocation
from core.ports.conversations import ChatMessageRepository, ConversationRepository

# Prepared once, without row objects: every turn passes here.
_message_table = SQLModel.metadata.tables["message"]
_in = _message_table.c
_NAMED = sql_select(_in.message_id).where(_in.platform_ref == bindparam("ref"))
STORE_MESSAGE = insert(_message_table)
_ALL = sql_select(*_in).where(_in.conversation_id == bindparam("conversation_id"))
_READABLE = (
    _ALL.where(
        func.coalesce(_in.position, 0) <= bindparam("last_page"),
        func.coalesce(_in.reveals_page, 0) <= bindparam("last_page"),
    )
    .order_by(_in.message_id.desc())
    .limit(bindparam("latest"))
)
_CONVERSATION = (
    sql_select(
        col(ConversationRow.conversation_id),
        col(ConversationRow.session_id),
        col(ConversationRow.reading_id),
        col(ReadingRow.book_id),
    )
    .join(ReadingRow, col(ReadingRow.reading_id) == col(ConversationRow.reading_id))
    .where(col(ConversationRow.conversation_id) == bindparam("conversation_id"))
)


class SqlConversationRepository(ConversationRepository):
    """Conversations, unique by session."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, conversation_id: str) -> Conversation:
        """Return the conversation. Raises BookError(NOT_FOUND)."""

        def work(session: Session) -> Conversation:
            row = session.connection().execute(_CONVERSATION, {"conversation_id": conversation_id}).first()
            if row is None:
                raise no_conversation(conversation_id)
            found, session_id, reading_id, book_id = row
            return Conversation(conversation_id=found, session_id=session_id, reading_id=reading_id, book_id=book_id)

        return await self._database.read(work)

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        """Return the conversation of a session about a reading; the write lock makes it safe under concurrency."""

        def found(session: Session) -> Conversation | None:
            row = session.exec(select(ConversationRow).where(ConversationRow.session_id == session_id)).first()
            return _conversation(session, row) if row else None

        def work(session: Session) -> Conversation:
            row = session.exec(select(ConversationRow).where(ConversationRow.session_id == session_id)).first()
            if row is None:
                row = ConversationRow(
                    conversation_id=f"t_{uuid.uuid4().hex[:12]}",
                    session_id=session_id,
                    reading_id=reading_id,
                    listen=listen_of(session, session_id, reading_id),
                )
                session.add(row)
                session.flush()
            return _conversation(session, row)

        # Nearly always it is there: who only reads waits for no writer.
        there = await self._database.read(found)
        return there if there is not None else await self._database.write(work)


class SqlChatMessageRepository(ChatMessageRepository):
    """Messages in the order in which they were stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, conversation_id: str, *messages: ChatMessage, turn_id: int | None = None) -> None:
        """Store messages in order, all or none; one that a platform names is stored once."""

        def work(session: Session) -> None:
            connection = session.connection()
            for message in messages:
                ref = message.platform_ref
                if ref is None or connection.execute(_NAMED, {"ref": ref}).first() is None:
                    connection.execute(STORE_MESSAGE, message_row(conversation_id, message, turn_id, utc_now()))

        await self._database.write(work)

    async def readable_history(self, conversation_id: str, *, position: Position, latest: int) -> list[ChatMessage]:
        """Return the latest messages that a context built at a position may hold, oldest first."""

        def work(session: Session) -> list[ChatMessage]:
            which = {"conversation_id": conversation_id, "last_page": position or 0, "latest": latest}
            rows = session.connection().execute(_READABLE, which).all()
            return [message_of(row) for row in reversed(rows)]

        return await self._database.read(work)

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation's id and the position at which a platform's message was written; None for others."""

        def work(session: Session) -> tuple[str, Position] | None:
            row = _named(session, platform_ref)
            return None if row is None else (row.conversation_id, row.position)

        return await self._database.read(work)

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Put another text in place of a platform's message, an empty one where it was deleted."""

        def work(session: Session) -> None:
            row = _named(session, platform_ref)
            if row is not None:
                row.content, row.reveals_page = text, reveals_page
                session.add(row)
                asked = update(TurnRow).where(col(TurnRow.asked_by) == platform_ref)
                session.execute(asked.values(user_query=text, rewritten_query=None, guardrail_reasoning=None))

        await self._database.write(work)

    async def get_by_conversation(self, conversation_id: str) -> list[ChatMessage]:
        """Return all messages, oldest first."""

        def work(session: Session) -> list[ChatMessage]:
            rows = session.connection().execute(_ALL.order_by(_in.message_id), {"conversation_id": conversation_id})
            return [message_of(row) for row in rows]

        return await self._database.read(work)


def listen_of(session: Session, session_id: str, reading_id: str) -> Listen:
    """Return what the thread was told to listen to while it was about another book."""
    of_thread = talk_of(session_id, reading_id)
    if of_thread is None:
        return Listen.OPENED
    theirs = select(ConversationRow.listen).where(
        col(ConversationRow.session_id).startswith(of_thread, autoescape=True)
    )
    return Listen(session.exec(theirs).first() or Listen.OPENED)


def _conversation(session: Session, row: ConversationRow) -> Conversation:
    reading = session.get_one(ReadingRow, row.reading_id)
    return Conversation(
        conversation_id=row.conversation_id,
        session_id=row.session_id,
        reading_id=row.reading_id,
        book_id=reading.book_id,
    )


def message_row(conversation_id: str, message: ChatMessage, turn_id: int | None, now: datetime) -> dict[str, object]:
    """Return a message as its row."""
    author, invocation = message.author, message.invocation
    return {
        "conversation_id": conversation_id,
        "turn_id": turn_id,
        "role": message.role,
        "content": message.content,
        "platform_ref": message.platform_ref,
        "author_id": author.member_id if author else None,
        "author_name": author.display_name if author else None,
        "position": message.position,
        "reveals_page": message.reveals_page,
        "invocation_id": invocation.invocation_id if invocation else None,
        "tool_name": invocation.tool_name if invocation else None,
        "tool_arguments": invocation.arguments if invocation else None,
        "is_error": message.is_error,
        "created_at": now,
    }


def _named(session: Session, platform_ref: str) -> MessageRow | None:
    return session.exec(select(MessageRow).where(MessageRow.platform_ref == platform_ref)).first()


def message_of(row: Row[*tuple[Any, ...]]) -> ChatMessage:
    """Return a message from its row."""
    return ChatMessage(
        role=Role(row.role),
        content=row.content,
        position=row.position,
        author=Author(member_id=row.author_id, display_name=row.author_name or "") if row.author_id else None,
        reveals_page=row.reveals_page,
        invocation=ToolInvocation(
            tool_name=row.tool_name, arguments=row.tool_arguments or {}, invocation_id=row.invocation_id or ""
        )
        if row.tool_name
        else None,
        is_error=row.is_error,
        created_at=row.created_at,
        message_id=row.message_id,
        platform_ref=row.platform_ref,
    )
