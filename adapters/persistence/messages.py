"""Messages as rows: prepared statements for what every turn stores and reads."""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, select
from sqlmodel import SQLModel

from adapters.persistence.prepared import KeptRows, Prepared, Record, Unit, inserting
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.position import Position
from core.domain.tool_use import ToolInvocation

_messages = SQLModel.metadata.tables["message"]
_in = _messages.c
_READABLE = Prepared(
    select(_messages)
    .where(
        _in.conversation_id == bindparam("conversation_id"),
        _in.platform_ref.is_(None) | (_in.platform_ref != bindparam("apart")),
        func.coalesce(_in.position, 0) <= bindparam("last_page"),
        func.coalesce(_in.reveals_page, 0) <= bindparam("last_page"),
    )
    .order_by(_in.message_id.desc())
    .limit(bindparam("latest"))
)
_ROWS_KEPT: Final = 1_200
"""Three threads as long as is looked back at."""
_LATEST = Prepared(
    select(_messages)
    .where(_in.conversation_id == bindparam("conversation_id"), _in.role != str(Role.TOOL_RESULT))
    .order_by(_in.message_id.desc())
    .limit(bindparam("latest"))
)
_NAMED = Prepared(select(_messages).where(_in.platform_ref == bindparam("ref")))
_STORE = Prepared(inserting(_messages))


def store(unit: Unit, conversation_id: str, message: ChatMessage, *, turn_id: int | None, now: datetime) -> None:
    """Store a message; one that a platform names is stored once."""
    author, invocation, ref = message.author, message.invocation, message.platform_ref
    if ref is not None and unit.first(_NAMED, {"ref": ref}) is not None:
        return
    unit.run(
        _STORE,
        {
            "conversation_id": conversation_id,
            "turn_id": turn_id,
            "role": message.role,
            "content": message.content,
            "platform_ref": ref,
            "author_id": author.member_id if author else None,
            "author_name": author.display_name if author else None,
            "position": message.position,
            "reveals_page": message.reveals_page,
            "invocation_id": invocation.invocation_id if invocation else None,
            "tool_name": invocation.tool_name if invocation else None,
            "tool_arguments": invocation.arguments if invocation else None,
            "is_error": message.is_error,
            "created_at": now,
        },
    )


def where_said(unit: Unit, platform_ref: str) -> tuple[str, Position] | None:
    """Return the conversation and the position of a platform's message; None where it is not stored."""
    row = unit.first(_NAMED, {"ref": platform_ref})
    return None if row is None else (row.conversation_id, row.position)


def readable_of(
    unit: Unit, conversation_id: str, *, position: Position, latest: int, apart: str | None = None
) -> list[ChatMessage]:
    """Return the latest messages that may be told at a position, oldest first; `apart` is a platform's that is not."""
    which = {"conversation_id": conversation_id, "last_page": position or 0, "latest": latest, "apart": apart or ""}
    return list(reversed(unit.made(_READABLE, which, _KEPT)))


def latest_of(unit: Unit, conversation_id: str, *, most: int) -> list[ChatMessage]:
    """Return what was asked and answered last, oldest first, whatever page it tells of."""
    which = {"conversation_id": conversation_id, "latest": most}
    return [_message(row) for row in reversed(unit.all(_LATEST, which))]


def _message(row: Record) -> ChatMessage:
    """Return what a row holds."""
    return ChatMessage(
        role=Role(row.role),
        content=row.content,
        position=row.position,
        author=_author(row),
        reveals_page=row.reveals_page,
        invocation=_invocation(row) if row.tool_name else None,
        is_error=row.is_error,
        created_at=row.created_at,
        message_id=row.message_id,
        platform_ref=row.platform_ref,
    )


def _author(row: Record) -> Author | None:
    return Author(member_id=row.author_id, display_name=row.author_name or "") if row.author_id else None


def _invocation(row: Record) -> ToolInvocation:
    return ToolInvocation(
        tool_name=row.tool_name, arguments=row.tool_arguments or {}, invocation_id=row.invocation_id or ""
    )


_KEPT: Final = KeptRows(_message, most=_ROWS_KEPT)
"""Each turn of a thread looks back at nearly the same messages as the one before."""


def keep_nothing_read() -> None:
    """Let go of the messages that this process has at hand from the turns before."""
    _KEPT.clear()
