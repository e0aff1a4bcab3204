"""Rows by their keys, as several repositories need them: there, made, or refused in a sentence."""

from sqlmodel import Session

from adapters.persistence.tables import ConversationRow, MemberPositionRow
from core.domain.errors import BookError, BookErrorCode


def thread_row(session: Session, conversation_id: str) -> ConversationRow:
    """Return the row of a thread. Raises BookError(NOT_FOUND)."""
    row = session.get(ConversationRow, conversation_id)
    if row is None:
        raise no_conversation(conversation_id)
    return row


def member_row(session: Session, reading_id: str, member_id: str) -> MemberPositionRow:
    """Return the row of a member in a reading, a new one where there is none; whoever changes it adds it."""
    row = session.get(MemberPositionRow, (reading_id, member_id))
    return row or MemberPositionRow(reading_id=reading_id, member_id=member_id)


def no_conversation(conversation_id: str) -> BookError:
    """Return what is raised where a conversation is not there any more."""
    return BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")


def no_reading() -> BookError:
    """Return what is raised where a reading is not there any more."""
    return BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")
