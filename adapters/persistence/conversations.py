"""Conversations and their messages in SQL."""

import uuid
from datetime import datetime

from sqlalchemy import String, bindparam, func, select, update
from sqlmodel import Session, SQLModel, col

from adapters.persistence import messages as stored
from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Record, Unit, inserting
from adapters.persistence.standings import no_conversation
from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.conversation import ChatMessage, Conversation
from core.domain.position import Position
from core.domain.thread import talk_of
from core.ports.conversations import ChatMessageRepository, ConversationRepository

_conversations, _readings = SQLModel.metadata.tables["conversation"], SQLModel.metadata.tables["reading"]
_thread, _reading = _conversations.c, _readings.c
_CONVERSATION = select(_thread.conversation_id, _thread.session_id, _thread.reading_id, _reading.book_id).join(
    _readings, _reading.reading_id == _thread.reading_id
)
_BY_ID = Prepared(_CONVERSATION.where(_thread.conversation_id == bindparam("conversation_id")))
_BY_SESSION = Prepared(_CONVERSATION.where(_thread.session_id == bindparam("session_id")))
_OPEN = Prepared(
    inserting(
        _conversations,
        "conversation_id",
        "session_id",
        "reading_id",
        "has_own_position",
        "listen",
        "created_at",
        "updated_at",
    )
)
_TALK = bindparam("talk", type_=String())
_club_of = select(_reading.club_id).where(_reading.reading_id == bindparam("reading_id")).scalar_subquery()
_LISTEN = Prepared(
    select(_thread.listen)
    .join(_readings, _reading.reading_id == _thread.reading_id)
    .where(_reading.club_id == _club_of, func.substr(_thread.session_id, 1, func.length(_TALK)) == _TALK)
    .limit(1)
)


class SqlConversationRepository(ConversationRepository):
    """Conversations, unique by session."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, conversation_id: str) -> Conversation:
        """Return the conversation. Raises BookError(NOT_FOUND)."""

        def work(unit: Unit) -> Conversation:
            row = unit.first(_BY_ID, {"conversation_id": conversation_id})
            if row is None:
                raise no_conversation(conversation_id)
            return _conversation(row)

        return await self._database.prepared_read(work)

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        """Return the conversation of a session about a reading; the write lock makes it safe under concurrency."""

        def found(unit: Unit) -> Conversation | None:
            row = unit.first(_BY_SESSION, {"session_id": session_id})
            return None if row is None else _conversation(row)

        def work(unit: Unit) -> Conversation:
            there = found(unit)
            if there is None:
                open_conversation(unit, session_id=session_id, reading_id=reading_id, now=utc_now())
            return _conversation(unit.one(_BY_SESSION, {"session_id": session_id}))

        # Nearly always it is there: who only reads waits for no writer.
        there = await self._database.prepared_read(found)
        return there if there is not None else await self._database.prepared_write(work)


class SqlChatMessageRepository(ChatMessageRepository):
    """Messages by the names that platforms give them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation's id and the position at which a platform's message was written; None for others."""
        return await self._database.prepared_read(lambda unit: stored.where_said(unit, platform_ref))

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return what was asked and answered last in a conversation, oldest first, whatever page it tells of."""
        return await self._database.prepared_read(lambda unit: stored.latest_of(unit, conversation_id, most=most))

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Put another text in place of a platform's message, an empty one where it was deleted."""

        def work(session: Session) -> None:
            said = update(MessageRow).where(col(MessageRow.platform_ref) == platform_ref)
            session.execute(said.values(content=text, reveals_page=reveals_page))
            asked = update(TurnRow).where(col(TurnRow.asked_by) == platform_ref)
            session.execute(asked.values(user_query=text, rewritten_query=None, guardrail_reasoning=None))

        await self._database.write(work)


def open_conversation(unit: Unit, *, session_id: str, reading_id: str, now: datetime) -> str:
    """Open the conversation of a session about a reading, which listens as its thread was told to; return its id."""
    conversation_id = f"t_{uuid.uuid4().hex[:12]}"
    row = {"conversation_id": conversation_id, "session_id": session_id, "reading_id": reading_id}
    listen = _listen_of(unit, session_id, reading_id)
    unit.run(_OPEN, row | {"has_own_position": False, "listen": listen, "created_at": now, "updated_at": now})
    return conversation_id


def _listen_of(unit: Unit, session_id: str, reading_id: str) -> str:
    """Return what the thread was told to listen to while it was about another book; empty for nothing."""
    talk = talk_of(session_id, reading_id)
    told = None if talk is None else unit.first(_LISTEN, {"talk": talk, "reading_id": reading_id})
    return "" if told is None else str(told.listen)


def _conversation(row: Record) -> Conversation:
    return Conversation(
        conversation_id=row.conversation_id,
        session_id=row.session_id,
        reading_id=row.reading_id,
        book_id=row.book_id,
    )
