"""Messages as rows: what every turn stores and reads."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, delete, func, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.position import Position
from core.domain.tool_use import ToolInvocation

NEVER_READ: Final = 2**31 - 1
"""The reveal page of a reported answer: no context reaches that far."""
_messages = MessageRow.metadata.tables["message"]
_in = _messages.c


def store(session: Session, conversation_id: str, message: ChatMessage, *, turn_id: int | None, now: datetime) -> None:
    """Store a message; one with a platform's id is stored once."""
    author, invocation, ref = message.author, message.invocation, message.platform_ref
    if ref is not None and where_said(session, ref) is not None:
        return
    session.add(
        MessageRow(
            conversation_id=conversation_id,
            turn_id=turn_id,
            role=message.role,
            content=message.content,
            platform_ref=ref,
            author_id=author.member_id if author else None,
            author_name=author.display_name if author else None,
            position=message.position,
            reveals_page=message.reveals_page,
            invocation_id=invocation.invocation_id if invocation else None,
            tool_name=invocation.tool_name if invocation else None,
            tool_arguments=invocation.arguments if invocation else None,
            is_error=message.is_error,
            created_at=now,
        )
    )


def drop_made_of_question(session: Session, turn_ids: Sequence[int]) -> None:
    """Delete what a model derived from these turns' questions: its searches, and the reasons for letting them pass."""
    session.execute(
        update(TurnRow)
        .where(col(TurnRow.turn_id).in_(turn_ids))
        .values(rewritten_query=None, guardrail_reasoning=None, reasoning_steps=[])
    )
    session.execute(
        delete(MessageRow).where(col(MessageRow.turn_id).in_(turn_ids), col(MessageRow.role) == Role.TOOL_RESULT)
    )


def where_said(session: Session, platform_ref: str) -> tuple[str, Position] | None:
    """Return the conversation and the position of a platform's message; None if it isn't stored."""
    named = select(MessageRow.conversation_id, MessageRow.position).where(MessageRow.platform_ref == platform_ref)
    found = session.exec(named).first()
    return None if found is None else (found[0], found[1])


def readable_of(
    session: Session, conversation_id: str, *, position: Position, latest: int, apart: str | None = None
) -> list[ChatMessage]:
    """Return the latest messages that may be shown at a position, oldest first, without the message `apart`."""
    readable = (
        sql_select(_messages)
        .where(
            _in.conversation_id == conversation_id,
            _in.platform_ref.is_(None) | (_in.platform_ref != (apart or "")),
            func.coalesce(_in.position, 0) <= (position or 0),
            func.coalesce(_in.reveals_page, 0) <= (position or 0),
        )
        .order_by(_in.message_id.desc())
        .limit(latest)
    )
    return [_message(row) for row in reversed(session.execute(readable).all())]


def latest_of(session: Session, conversation_id: str, *, most: int) -> list[ChatMessage]:
    """Return the last questions and answers, oldest first, whatever pages they are about."""
    last = (
        sql_select(_messages)
        .where(_in.conversation_id == conversation_id, _in.role != Role.TOOL_RESULT)
        .order_by(_in.message_id.desc())
        .limit(most)
    )
    return [_message(row) for row in reversed(session.execute(last).all())]


def _message(row: Row[Any]) -> ChatMessage:
    """Return the message of a result row; a long history isn't turned into row objects first."""
    return ChatMessage(
        role=Role(row.role),
        content=row.content,
        position=row.position,
        author=Author(member_id=row.author_id, display_name=row.author_name or "") if row.author_id else None,
        reveals_page=row.reveals_page,
        invocation=_invocation(row) if row.tool_name else None,
        is_error=row.is_error,
        created_at=row.created_at,
        message_id=row.message_id,
        platform_ref=row.platform_ref,
    )


def _invocation(row: Row[Any]) -> ToolInvocation:
    return ToolInvocation(
        tool_name=row.tool_name, arguments=row.tool_arguments or {}, invocation_id=row.invocation_id or ""
    )
