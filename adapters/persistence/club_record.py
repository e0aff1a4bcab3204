"""What clubs did with their books, in SQL."""

from collections import Counter
from datetime import datetime

from sqlalchemy import func, or_
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import RatingRow, SealedItemRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.schedules import schedule_of
from adapters.persistence.sealed_items import keepsake_of
from adapters.persistence.tables import ConversationRow, MessageRow, PositionChangeRow, TurnRow
from core.domain.club_record import Archive, HowFar, KeptAnswer, MemberRecord, PageMove, Ratings, ReadingSums
from core.domain.conversation import Role, TurnStatus
from core.domain.sealed_item import SealedItemKind
from core.domain.thread import is_before_all
from core.ports.club_record import ClubRecord


class SqlClubRecord(SqlStore, ClubRecord):
    """Reads the turns, moves and sealed items of a reading; one row per member's rating."""

    @reads
    def sums(self, session: Session, reading_id: str) -> ReadingSums:
        """Return the totals of a reading."""
        asked = session.exec(
            select(TurnRow.sources)
            .join(ConversationRow, col(ConversationRow.conversation_id) == TurnRow.conversation_id)
            .where(ConversationRow.reading_id == reading_id, TurnRow.status == TurnStatus.ANSWERED)
        ).all()
        kept = session.exec(
            select(SealedItemRow.kind).where(
                SealedItemRow.reading_id == reading_id,
                # The number of waiting quotes would reveal that one was found ahead.
                or_(col(SealedItemRow.told), col(SealedItemRow.kind) == SealedItemKind.PREDICTION),
            )
        ).all()
        return ReadingSums(
            begun_at=_begun_at(session, reading_id),
            questions=len(asked),
            found=sum(map(bool, asked)),
            quotes=kept.count(SealedItemKind.QUOTE),
            predictions=kept.count(SealedItemKind.PREDICTION),
        )

    @writes
    def rate(
        self,
        session: Session,
        reading_id: str,
        member_id: str,
        *,
        stars: int | None = None,
        how_far: HowFar | None = None,
    ) -> Ratings:
        """Store a member's rating, in place of the last one; return all ratings."""
        row = session.get(RatingRow, (reading_id, member_id)) or RatingRow(reading_id=reading_id, member_id=member_id)
        row.stars = row.stars if stars is None else stars
        row.how_far = row.how_far if how_far is None else how_far
        session.add(row)
        session.flush()
        return _ratings(session, reading_id)

    @reads
    def ratings(self, session: Session, reading_id: str) -> Ratings:
        """Return members' ratings of a book."""
        return _ratings(session, reading_id)

    @reads
    def of_member(self, session: Session, *, scope: str, member_id: str) -> MemberRecord:
        """Return everything stored about a member in a scope, including what is private to them."""
        from adapters.persistence.member_record import member_record

        return member_record(session, scope, member_id)

    @reads
    def archive(self, session: Session, reading_id: str) -> Archive:
        """Return what was said and done in public, oldest first."""
        kept = session.exec(
            select(SealedItemRow)
            .where(SealedItemRow.reading_id == reading_id, col(SealedItemRow.told))
            .order_by(col(SealedItemRow.opens_at), col(SealedItemRow.keepsake_id))
        )
        return Archive(
            moves=_moves(session, reading_id),
            answers=_answers(session, reading_id),
            sealed_items=tuple(keepsake_of(row) for row in kept),
            schedule=schedule_of(session, reading_id),
        )


def _begun_at(session: Session, reading_id: str) -> datetime | None:
    moved = select(func.min(PositionChangeRow.changed_at)).where(PositionChangeRow.reading_id == reading_id)
    talked = select(func.min(ConversationRow.created_at)).where(ConversationRow.reading_id == reading_id)
    return min(filter(None, (session.exec(moved).one(), session.exec(talked).one())), default=None)


def _ratings(session: Session, reading_id: str) -> Ratings:
    rows = session.exec(select(RatingRow).where(RatingRow.reading_id == reading_id)).all()
    return Ratings(
        stars=dict(Counter(row.stars for row in rows if row.stars is not None)),
        how_far=dict(Counter(HowFar(row.how_far) for row in rows if row.how_far is not None)),
    )


def _moves(session: Session, reading_id: str) -> tuple[PageMove, ...]:
    rows = session.exec(
        select(PositionChangeRow)
        .where(PositionChangeRow.reading_id == reading_id, ~col(PositionChangeRow.undone))
        .order_by(col(PositionChangeRow.change_id))
    )
    return tuple(PageMove(at=row.changed_at, page=row.to_page) for row in rows)


def _answers(session: Session, reading_id: str) -> tuple[KeptAnswer, ...]:
    """Return the answered questions of all threads except members' own; forgotten ones have no text."""
    rows = session.exec(
        select(TurnRow, MessageRow.author_name, ConversationRow.session_id)
        .join(ConversationRow, col(ConversationRow.conversation_id) == TurnRow.conversation_id)
        .outerjoin(MessageRow, (col(MessageRow.turn_id) == TurnRow.turn_id) & (col(MessageRow.role) == Role.USER))
        .where(
            ConversationRow.reading_id == reading_id, TurnRow.status == TurnStatus.ANSWERED, TurnRow.user_query != ""
        )
        .order_by(col(TurnRow.turn_id))
    )
    return tuple(
        KeptAnswer(
            at=turn.created_at,
            page=turn.position,
            asker=asker or "",
            question=turn.user_query,
            answer=turn.agent_response or "",
        )
        for turn, asker, session_id in rows
        if is_before_all(session_id)
    )
