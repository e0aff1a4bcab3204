"""Everything stored about one member in a scope, for `export me`; called by the club record.

The counterpart of `forgetting`: what is erased there is listed here.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlmodel import Session, SQLModel, col

from adapters.persistence.club_life_tables import (
    AnswerFeedbackRow,
    ClubTextRow,
    LaterQuestionRow,
    PageSaidRow,
    PollRow,
    PollVoteRow,
    ProposalRow,
    RatingRow,
    SealedItemRow,
    SealedItemVoteRow,
)
from adapters.persistence.messages import NEVER_READ
from adapters.persistence.tables import (
    BookRow,
    ClubRow,
    ConversationRow,
    MemberPositionRow,
    MemberThreadRow,
    MessageRow,
    PositionChangeRow,
    ReadingRow,
    TurnRow,
)
from core.domain.club_record import MemberRecord
from core.domain.conversation import Role
from core.domain.thread import private_thread


def member_record(session: Session, scope: str, member_id: str) -> MemberRecord:
    """Return the stored data by kind; others' texts are left out, except answers to the member.

    Answers reported as spoilers stay hidden.
    """
    clubs = select(col(ClubRow.club_id)).where(col(ClubRow.scope) == scope)
    readings = select(col(ReadingRow.reading_id)).where(col(ReadingRow.club_id).in_(clubs))
    talks = select(col(ConversationRow.conversation_id)).where(col(ConversationRow.reading_id).in_(readings))
    turns = select(col(TurnRow.turn_id)).where(col(TurnRow.conversation_id).in_(talks))
    sealed_items = select(col(SealedItemRow.keepsake_id)).where(col(SealedItemRow.reading_id).in_(readings))
    polls = select(col(PollRow.poll_id)).where(col(PollRow.club_id).in_(clubs))
    within: dict[str, tuple[type[SQLModel], ColumnElement[bool]]] = {
        "pages": (MemberPositionRow, col(MemberPositionRow.reading_id).in_(readings)),
        "answered_in": (MemberThreadRow, col(MemberThreadRow.conversation_id).in_(talks)),
        "pages_said": (PageSaidRow, col(PageSaidRow.reading_id).in_(readings)),
        "pages_moved": (PositionChangeRow, col(PositionChangeRow.reading_id).in_(readings)),
        "quotes_and_predictions": (SealedItemRow, col(SealedItemRow.reading_id).in_(readings)),
        "later_questions": (LaterQuestionRow, col(LaterQuestionRow.reading_id).in_(readings)),
        "texts": (ClubTextRow, col(ClubTextRow.reading_id).in_(readings)),
        "ratings": (RatingRow, col(RatingRow.reading_id).in_(readings)),
        "votes_on_predictions": (SealedItemVoteRow, col(SealedItemVoteRow.keepsake_id).in_(sealed_items)),
        "votes": (PollVoteRow, col(PollVoteRow.poll_id).in_(polls)),
        "suggestions": (ProposalRow, col(ProposalRow.club_id).in_(clubs)),
        "thoughts_on_answers": (AnswerFeedbackRow, col(AnswerFeedbackRow.turn_id).in_(turns)),
    }
    kept = {"questions": list(_questions(session, scope, member_id))}
    for name, (table, is_within) in within.items():
        theirs = getattr(table, "member_id") == member_id  # noqa: B009 (each of them has one)
        kept[name] = [_told(row) for row in session.scalars(select(table).where(theirs, is_within))]
    return {name: rows for name, rows in kept.items() if rows}


def _told(row: SQLModel) -> dict[str, Any]:
    """Return a row without the page at which a sealed item opens: that may depend on unread text."""
    is_sealed = isinstance(row, SealedItemRow) and not row.told
    hidden = {"opens_at"} if is_sealed else {"last_page"} if isinstance(row, ClubTextRow) else set()
    return row.model_dump(mode="json", exclude=hidden)


def _questions(session: Session, scope: str, member_id: str) -> Iterator[dict[str, Any]]:
    """Yield a member's texts and the answers, in order; of their private talks, everything."""
    is_private = col(ConversationRow.session_id).contains(private_thread("", member_id) + "/", autoescape=True)
    asked = select(col(MessageRow.turn_id)).where(col(MessageRow.author_id) == member_id)
    answers = (col(MessageRow.role) == Role.ASSISTANT) & col(MessageRow.turn_id).in_(asked)
    rows = session.execute(
        select(MessageRow, col(BookRow.title), is_private)
        .join(ConversationRow, col(ConversationRow.conversation_id) == col(MessageRow.conversation_id))
        .join(ReadingRow, col(ReadingRow.reading_id) == col(ConversationRow.reading_id))
        .join(ClubRow, col(ClubRow.club_id) == col(ReadingRow.club_id))
        .join(BookRow, col(BookRow.book_id) == col(ReadingRow.book_id))
        .where(
            col(ClubRow.scope) == scope,
            col(MessageRow.role).in_([Role.USER, Role.ASSISTANT]),
            or_(is_private, col(MessageRow.author_id) == member_id, answers),
            func.coalesce(col(MessageRow.reveals_page), 0) < NEVER_READ,
        )
        .order_by(col(MessageRow.message_id))
    )
    for message, title, private in rows:
        yield {
            "at": message.created_at.isoformat(),
            "book": title,
            "page": message.position,
            "by": "you" if message.role == Role.USER else "me",
            "text": message.content,
            "private": bool(private),
        }
