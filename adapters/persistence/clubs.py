"""Clubs in SQL: members' own positions, settings, usage, forgetting.

The tables of a club's life take a twentieth of a second to import, so they are imported only when needed.
"""

import uuid
from datetime import datetime

from sqlalchemy import and_, case, delete, func, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, col

from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import hearing_of, member_row, reading_row, thread_row
from adapters.persistence.tables import (
    ClubRow,
    ConversationRow,
    MemberPositionRow,
    MemberThreadRow,
    ReadingRow,
    TurnRow,
)
from core.domain.conversation import TurnStatus
from core.domain.position import AnswerIn, Pace, PageControl, Position
from core.domain.reading import Listen, ListeningRule, Usage
from core.domain.thread import private_thread, talk_of
from core.ports.clubs import ClubRepository


class SqlClubRepository(SqlStore, ClubRepository):
    """What members and organisers set."""

    @reads
    def member_position(self, session: Session, reading_id: str, member_id: str) -> Position:
        """Return a member's own position; None if they have not set it."""
        row = session.get(MemberPositionRow, (reading_id, member_id))
        return row.current_page if row else None

    @reads
    def answer_in(self, session: Session, conversation_id: str, member_id: str) -> AnswerIn | None:
        """Return where a member who is behind a thread chose to be answered."""
        row = session.get(MemberThreadRow, (conversation_id, member_id))
        return None if row is None else AnswerIn(row.answer_in)

    @writes
    def set_answer_in(self, session: Session, conversation_id: str, member_id: str, chosen: AnswerIn) -> None:
        """Store where a member who is behind a thread wants to be answered."""
        row = MemberThreadRow(conversation_id=conversation_id, member_id=member_id, answer_in=chosen)
        session.merge(row)

    @writes
    def spoke(self, session: Session, reading_id: str, member_id: str, at: datetime) -> None:
        """Note that a member spoke; silent members hold nobody back."""
        row = member_row(session, reading_id, member_id)
        row.last_spoke_at = at
        session.add(row)

    @writes
    def set_pace(self, session: Session, reading_id: str, pace: Pace) -> None:
        """Set whom the reading waits for."""
        session.execute(update(ReadingRow).where(col(ReadingRow.reading_id) == reading_id).values(pace=pace))

    @writes
    def set_page_control(self, session: Session, reading_id: str, page_control: PageControl) -> None:
        """Set who may move the public position."""
        session.execute(
            update(ReadingRow).where(col(ReadingRow.reading_id) == reading_id).values(page_control=page_control)
        )

    @reads
    def hearing(self, session: Session, conversation_id: str) -> ListeningRule:
        """Return what a thread listens to."""
        row = thread_row(session, conversation_id)
        reading = reading_row(session, row.reading_id)
        club = session.get_one(ClubRow, reading.club_id)
        return hearing_of(row.listen, club.listen)

    @writes
    def set_listen(self, session: Session, conversation_id: str, listen: Listen) -> None:
        """Set what a thread listens to."""
        row = thread_row(session, conversation_id)
        row.listen = listen
        session.add(row)
        # A thread that changes its book and changes back keeps its setting.
        if (of_thread := talk_of(row.session_id, row.reading_id)) is not None:
            theirs = col(ConversationRow.session_id).startswith(of_thread, autoescape=True)
            session.execute(update(ConversationRow).where(theirs).values(listen=listen))

    @writes
    def set_club_listen(self, session: Session, club_id: str, listen: Listen) -> None:
        """Set what a club's threads listen to, unless set for the thread."""
        session.execute(update(ClubRow).where(col(ClubRow.club_id) == club_id).values(listen=listen))

    @reads
    def usage(self, session: Session, *, scope: str, place: str, since: datetime) -> Usage:
        """Return what a club's turns since then used."""
        # A turn without tokens costs nothing, whatever its model's price.
        unpriced = and_(
            col(TurnRow.cost_micro_usd).is_(None), col(TurnRow.input_tokens) + col(TurnRow.output_tokens) > 0
        )
        idle = col(TurnRow.status).in_((TurnStatus.IDLE, TurnStatus.ASKED_BACK))
        tokens = col(TurnRow.input_tokens) + col(TurnRow.output_tokens)
        turns, idle_tokens, answered, tokens_in, tokens_out, cached, cost, without_price = session.execute(
            sql_select(
                func.sum(case((idle, 0), else_=1)),
                func.sum(case((idle, tokens), else_=0)),
                func.sum(case((col(TurnRow.status) == TurnStatus.ANSWERED, 1), else_=0)),
                func.sum(TurnRow.input_tokens),
                func.sum(TurnRow.output_tokens),
                func.sum(TurnRow.cache_read_tokens),
                func.sum(TurnRow.cost_micro_usd),
                func.sum(case((unpriced, 1), else_=0)),
            )
            .select_from(TurnRow)
            .join(ConversationRow, col(ConversationRow.conversation_id) == col(TurnRow.conversation_id))
            .join(ReadingRow, col(ReadingRow.reading_id) == col(ConversationRow.reading_id))
            .join(ClubRow, col(ClubRow.club_id) == col(ReadingRow.club_id))
            .where(col(ClubRow.scope) == scope, col(ClubRow.place) == place, col(TurnRow.created_at) >= since)
        ).one()
        return Usage(
            turns=turns or 0,
            idle_tokens=idle_tokens or 0,
            answered=answered or 0,
            input_tokens=tokens_in or 0,
            output_tokens=tokens_out or 0,
            cache_read_tokens=cached or 0,
            cost_micro_usd=None if without_price else cost,
        )

    @reads
    def spent_micro_usd(self, session: Session, *, since: datetime) -> int:
        """Return what all turns since then cost, as far as their prices are known."""
        cost = sql_select(func.sum(TurnRow.cost_micro_usd)).where(col(TurnRow.created_at) >= since)
        return session.scalar(cost) or 0

    async def forget_member(self, *, scope: str, member_id: str) -> int:
        """Delete a member's texts and positions in a scope; return the number of messages.

        Their turns' usage is still counted, so that being forgotten doesn't reset the daily budget.
        """
        from adapters.persistence.forgetting import forget_member

        emptied = await self.database.write(lambda session: forget_member(session, scope, member_id))
        await self.database.truncate_log()
        return emptied

    async def forget_conversation(self, conversation_id: str) -> None:
        """Delete a conversation with everything that depends on it, and members' private questions beside it.

        A thread's own page below its reading's stays: forgetting moves nobody ahead.
        """

        def work(session: Session) -> None:
            thread = thread_row(session, conversation_id)
            talk = thread.session_id.removesuffix(f"/{thread.reading_id}")
            beside = col(ConversationRow.session_id).startswith(private_thread(talk, ""), autoescape=True)
            session.execute(delete(ConversationRow).where(col(ConversationRow.reading_id) == thread.reading_id, beside))
            reading = session.get(ReadingRow, thread.reading_id)
            kept = _empty_at_its_page(thread) if _is_raised_without(thread, reading) else None
            session.delete(thread)
            if kept is not None:
                session.flush()
                session.add(kept)

        await self.database.write(work)
        await self.database.truncate_log()

    async def forget_talk(self, *, before: datetime) -> int:
        """Delete what was said in conversations whose last turn was before a time; return the number of messages."""
        from adapters.persistence.forgetting import forget_talk

        deleted = await self.database.write(lambda session: forget_talk(session, before))
        if deleted:
            await self.database.truncate_log()
        return deleted

    async def forget_club(self, *, scope: str, place: str) -> None:
        """Delete a club with its readings and conversations; its books stay."""
        from adapters.persistence.linking import end_links

        this = (col(ClubRow.scope) == scope, col(ClubRow.place) == place)

        def work(session: Session) -> None:
            end_links(session, list(session.scalars(sql_select(col(ClubRow.club_id)).where(*this))))
            session.execute(delete(ClubRow).where(*this))

        await self.database.write(work)
        await self.database.truncate_log()


def _is_raised_without(thread: ConversationRow, reading: ReadingRow | None) -> bool:
    """Whether a thread would move ahead if it followed its reading again."""
    return reading is not None and thread.has_own_position and (thread.current_page or 0) < (reading.current_page or 0)


def _empty_at_its_page(thread: ConversationRow) -> ConversationRow:
    return ConversationRow(
        conversation_id=f"t_{uuid.uuid4().hex[:12]}",
        session_id=thread.session_id,
        reading_id=thread.reading_id,
        current_page=thread.current_page,
        has_own_position=True,
        listen=thread.listen,
    )
