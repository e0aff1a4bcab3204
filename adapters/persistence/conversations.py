"""Conversations and their messages in SQL."""

import uuid
from datetime import datetime

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from adapters.persistence import messages as stored
from adapters.persistence.columns import utc_now
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import reading_row, thread_row
from adapters.persistence.tables import ConversationRow, MessageRow, ReadingRow, TurnRow
from core.domain.conversation import ChatMessage, Conversation
from core.domain.position import Position
from core.domain.thread import talk_of
from core.ports.conversations import ChatMessageRepository, ConversationRepository


class SqlConversationRepository(SqlStore, ConversationRepository):
    """Conversations, unique by session."""

    @reads
    def get(self, session: Session, conversation_id: str) -> Conversation:
        """Return the conversation. Raises BookError(NOT_FOUND)."""
        return _conversation(session, thread_row(session, conversation_id))

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        """Return the conversation of a session about a reading, created if needed; the write lock makes this safe."""

        def found(session: Session) -> Conversation | None:
            row = session.exec(select(ConversationRow).where(ConversationRow.session_id == session_id)).first()
            return None if row is None else _conversation(session, row)

        def work(session: Session) -> Conversation:
            return found(session) or _conversation(
                session, open_conversation(session, session_id=session_id, reading_id=reading_id, now=utc_now())
            )

        # It nearly always exists: reading first avoids waiting for the writer.
        there = await self.database.read(found)
        return there if there is not None else await self.database.write(work)


class SqlChatMessageRepository(SqlStore, ChatMessageRepository):
    """Messages by the platforms' ids."""

    @reads
    def where_said(self, session: Session, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation id and the position of a platform's message; None if unknown."""
        return stored.where_said(session, platform_ref)

    @reads
    def latest(self, session: Session, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return the last questions and answers of a conversation, oldest first, whatever pages they are about."""
        return stored.latest_of(session, conversation_id, most=most)

    @writes
    def replace_text(self, session: Session, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Replace the text of a platform's message; "" if it was deleted."""
        said = update(MessageRow).where(col(MessageRow.platform_ref) == platform_ref)
        session.execute(said.values(content=text, reveals_page=reveals_page))
        turns = session.exec(select(TurnRow).where(TurnRow.asked_by == platform_ref, TurnRow.user_query != text)).all()
        for turn in turns:
            turn.user_query = text
        stored.drop_made_of_question(session, [turn.turn_id or 0 for turn in turns])


def open_conversation(session: Session, *, session_id: str, reading_id: str, now: datetime) -> ConversationRow:
    """Create the conversation of a session about a reading, with its thread's listening setting."""
    row = ConversationRow(
        conversation_id=f"t_{uuid.uuid4().hex[:12]}",
        session_id=session_id,
        reading_id=reading_id,
        listen=_listen_of(session, session_id, reading_id),
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    session.flush()
    return row


def _listen_of(session: Session, session_id: str, reading_id: str) -> str:
    """Return the thread's listening setting from when it was about another book; "" if it had none."""
    talk = talk_of(session_id, reading_id)
    if talk is None:
        return ""
    club = select(ReadingRow.club_id).where(ReadingRow.reading_id == reading_id)
    told = (
        select(ConversationRow.listen)
        .join(ReadingRow, col(ReadingRow.reading_id) == ConversationRow.reading_id)
        .where(
            col(ReadingRow.club_id).in_(club),
            func.substr(ConversationRow.session_id, 1, len(talk)) == talk,
        )
        .limit(1)
    )
    return session.exec(told).first() or ""


def _conversation(session: Session, row: ConversationRow) -> Conversation:
    return Conversation(
        conversation_id=row.conversation_id,
        session_id=row.session_id,
        reading_id=row.reading_id,
        book_id=reading_row(session, row.reading_id).book_id,
    )
