"""Erases a forgotten member's data, or old talk; only counts stay. Called by the club repository."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, exists, func, update
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import (
    AnswerFeedbackRow,
    ClubOfferRow,
    ClubTextRow,
    LaterQuestionRow,
    PageSaidRow,
    RatingRow,
    SealedItemRow,
    SealedItemVoteRow,
)
from adapters.persistence.database import changed
from adapters.persistence.messages import drop_made_of_question
from adapters.persistence.polls import forget_proposals
from adapters.persistence.schedules import forget_who_wanted
from adapters.persistence.tables import (
    ClubRow,
    ConversationRow,
    MemberPositionRow,
    MemberThreadRow,
    MessageRow,
    PositionChangeRow,
    ReadingRow,
    TurnRow,
)
from adapters.persistence.timers import forget_timers_of
from core.domain.thread import private_thread

_FORGOTTEN: Final = "forgotten:"


def forget_member(session: Session, scope: str, member_id: str) -> int:
    """Delete a member's texts and positions in a scope; return the number of messages."""
    readings = session.exec(
        select(ReadingRow.reading_id)
        .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
        .where(ClubRow.scope == scope)
    ).all()
    threads = select(ConversationRow.conversation_id).where(col(ConversationRow.reading_id).in_(readings))
    theirs = (col(MessageRow.conversation_id).in_(threads), col(MessageRow.author_id) == member_id)
    asked = [turn_id for turn_id in session.exec(select(MessageRow.turn_id).where(*theirs)) if turn_id is not None]
    emptied = changed(session, update(MessageRow).where(*theirs).values(content="", author_id=None, author_name=None))
    session.execute(update(TurnRow).where(col(TurnRow.turn_id).in_(asked)).values(user_query=""))
    drop_made_of_question(session, asked)
    _forget_private_talk(session, readings, member_id)
    forget_timers_of(session, scope, member_id)
    forget_who_wanted(session, readings, member_id)
    for table in (MemberPositionRow, PageSaidRow, ClubTextRow, LaterQuestionRow, RatingRow):
        session.execute(delete(table).where(col(table.reading_id).in_(readings), col(table.member_id) == member_id))
    session.execute(
        delete(MemberThreadRow).where(
            col(MemberThreadRow.conversation_id).in_(threads), col(MemberThreadRow.member_id) == member_id
        )
    )
    _forget_sealed_items(session, readings, member_id)
    _forget_feedback(session, readings, member_id)
    forget_proposals(session, scope, member_id)
    _forget_offers(session, scope, member_id)
    session.execute(
        update(PositionChangeRow)
        .where(col(PositionChangeRow.reading_id).in_(readings), col(PositionChangeRow.member_id) == member_id)
        .values(member_id="")
    )
    return emptied


def forget_talk(session: Session, before: datetime) -> int:
    """Delete what was said in conversations whose last turn was before a time; return the number of messages."""
    turns = exists().where(col(TurnRow.conversation_id) == ConversationRow.conversation_id)
    said = exists().where(col(MessageRow.conversation_id) == ConversationRow.conversation_id)
    quiet = select(ConversationRow.conversation_id).where(
        func.coalesce(ConversationRow.updated_at, ConversationRow.created_at) < before,
        ~turns.where(col(TurnRow.created_at) >= before),  # one that is being answered
        said | turns.where(col(TurnRow.user_query) != ""),
    )
    return _forget_texts(session, session.exec(quiet).all())


def is_forgotten(session_id: str) -> bool:
    """Whether only the counts of a session are stored."""
    return session_id.startswith(_FORGOTTEN)


def _forget_sealed_items(session: Session, readings: Sequence[str], member_id: str) -> None:
    """Delete a member's sealed items, and their votes on others'."""
    left = select(SealedItemRow.keepsake_id).where(col(SealedItemRow.reading_id).in_(readings))
    session.execute(
        delete(SealedItemVoteRow).where(
            col(SealedItemVoteRow.keepsake_id).in_(left), col(SealedItemVoteRow.member_id) == member_id
        )
    )
    session.execute(
        delete(SealedItemRow).where(
            col(SealedItemRow.reading_id).in_(readings), col(SealedItemRow.member_id) == member_id
        )
    )


def _forget_offers(session: Session, scope: str, member_id: str) -> None:
    """Delete the codes that a member gave to other clubs; links between clubs stay."""
    clubs = select(ClubRow.club_id).where(ClubRow.scope == scope)
    session.execute(
        delete(ClubOfferRow).where(col(ClubOfferRow.club_id).in_(clubs), col(ClubOfferRow.made_by) == member_id)
    )


def _forget_feedback(session: Session, readings: Sequence[str], member_id: str) -> None:
    """Delete a member's feedback on answers."""
    turns = (
        select(TurnRow.turn_id)
        .join(ConversationRow, col(ConversationRow.conversation_id) == TurnRow.conversation_id)
        .where(col(ConversationRow.reading_id).in_(readings))
    )
    session.execute(
        delete(AnswerFeedbackRow).where(
            col(AnswerFeedbackRow.turn_id).in_(turns), col(AnswerFeedbackRow.member_id) == member_id
        )
    )


def _forget_private_talk(session: Session, readings: Sequence[str], member_id: str) -> None:
    """Delete a member's private talks, keeping their turns' usage without a session."""
    beside = col(ConversationRow.session_id).contains(private_thread("", member_id) + "/", autoescape=True)
    talks = session.exec(select(ConversationRow).where(col(ConversationRow.reading_id).in_(readings), beside)).all()
    _forget_texts(session, [talk.conversation_id for talk in talks])
    for talk in talks:
        talk.session_id = f"{_FORGOTTEN}{talk.conversation_id}"
        talk.current_page, talk.has_own_position = None, False
        session.add(talk)


def _forget_texts(session: Session, conversation_ids: Sequence[str]) -> int:
    """Delete these conversations' messages and the texts of their turns, whose usage stays."""
    session.execute(
        update(TurnRow)
        .where(col(TurnRow.conversation_id).in_(conversation_ids))
        .values(
            user_query="",
            agent_response=None,
            rewritten_query=None,
            guardrail_reasoning=None,
            asked_by=None,
            sources=[],
            reasoning_steps=[],
        )
    )
    return changed(session, delete(MessageRow).where(col(MessageRow.conversation_id).in_(conversation_ids)))
