"""The record of turns in SQL: each begins in one transaction and ends in another, each whole or not at all."""

from datetime import datetime

from sqlalchemy import Update, delete, update
from sqlmodel import Session, col, select

from adapters.persistence.database import Database, SqlStore, reads, writes
from adapters.persistence.inbox import leased_by, settle_turn
from adapters.persistence.messages import NEVER_READ, drop_made_of_question, store
from adapters.persistence.reading_states import no_conversation, no_reading, reading_row, standing_of, thread_row
from adapters.persistence.tables import ConversationRow, MessageRow, TurnRow
from adapters.persistence.turn_beginning import TurnBeginning, turn_of
from core.domain.conversation import SETTLED, SPOILER, ChatMessage, Role, Turn, TurnStatus
from core.domain.errors import TakenOverError
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.ports.turn_record import BegunTurn, NoReading, RecordedAnswer, TurnEnd, TurnRecord

_OVER = tuple(SETTLED)
"""Another process, which got the lease when this one's expired, has ended the turn: its reply counts."""


class SqlTurnRecord(SqlStore, TurnRecord):
    """Turns with their messages. The write lock keeps two writers from taking the same number."""

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        super().__init__(database)
        self._beginning = TurnBeginning(embedding_model_id=embedding_model_id, process=database.process)

    @writes
    def begin(self, session: Session, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn in one transaction, or continue it."""
        return self._beginning.begin(session, message, now=now, latest=latest)

    @writes
    def end(self, session: Session, turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        """End a turn in one transaction; return the thread's current position."""
        from adapters.persistence.forgetting import is_forgotten

        row = session.get(TurnRow, turn.turn_id)
        thread = None if row is None else session.get(ConversationRow, row.conversation_id)
        if row is None or thread is None or is_forgotten(thread.session_id):
            raise no_conversation(turn.conversation_id)
        reading = reading_row(session, thread.reading_id)
        if reading.book_id != turn.book_id:
            raise no_reading()
        was_ended = row.status in _OVER or row.status != turn.status
        if was_ended or leased_by(session, end.ref, bot=end.heard_by) not in (None, self.database.process):
            raise TakenOverError("Another process has this turn by now.")
        as_asked = row.user_query == turn.user_query
        _keep_messages(session, turn, end, now)
        for name, value in _ended(end, turn).items():
            setattr(row, name, value)
        thread.updated_at = now
        session.add_all([row, thread])
        settle_turn(session, end.ref, bot=end.heard_by, reply=end.reply)
        session.flush()
        if end.outcome.nobody_asked:
            session.execute(delete(MessageRow).where(col(MessageRow.turn_id) == turn.turn_id))
            row.user_query = ""
        if end.outcome.nobody_asked or not as_asked:
            drop_made_of_question(session, [turn.turn_id])
        return standing_of(session, reading, thread, every_member=False).public(now)

    @reads
    def answer(self, session: Session, turn_id: int) -> RecordedAnswer | None:
        """Return an answered turn with the passages it rests on, or None."""
        row = session.get(TurnRow, turn_id)
        if row is None or row.status not in {TurnStatus.ANSWERED, TurnStatus.ASKED_BACK, TurnStatus.HIDDEN}:
            return None
        thread = thread_row(session, row.conversation_id)
        book_id = reading_row(session, thread.reading_id).book_id
        return RecordedAnswer(
            turn=turn_of(row, book_id),
            session_id=thread.session_id,
            reading_id=thread.reading_id,
            book_id=book_id,
            chunk_ids=tuple(int(str(source["chunk_id"])) for source in row.sources),
            searched_for=row.rewritten_query or row.user_query,
            ref=row.asked_by,
        )

    @writes
    def give_feedback(self, session: Session, turn_id: int, feedback: int, *, member_id: str) -> None:
        """Store a member's feedback on an answer, once: 1 or -1."""
        from adapters.persistence.club_life_tables import AnswerFeedbackRow

        row = session.get(TurnRow, turn_id)
        if row is None:
            return
        session.merge(AnswerFeedbackRow(turn_id=turn_id, member_id=member_id, feedback=feedback))
        if feedback == SPOILER:
            if row.status == TurnStatus.ANSWERED:
                row.status = TurnStatus.HIDDEN
                session.add(row)
            session.execute(_answer_of(turn_id).values(reveals_page=NEVER_READ))

    @writes
    def take_back_reports(self, session: Session, turn_id: int) -> None:
        """Withdraw the reports of an answer; its reveal page is again the page that it was written for."""
        from adapters.persistence.club_life_tables import AnswerFeedbackRow

        reports = (col(AnswerFeedbackRow.turn_id) == turn_id, col(AnswerFeedbackRow.feedback) == SPOILER)
        session.execute(delete(AnswerFeedbackRow).where(*reports))
        row = session.get(TurnRow, turn_id)
        if row is not None and row.status == TurnStatus.HIDDEN:
            row.status = TurnStatus.ANSWERED
            session.add(row)
        session.execute(_answer_of(turn_id).values(reveals_page=col(MessageRow.position)))

    @reads
    def feedback(self, session: Session, turn_id: int) -> dict[str, int]:
        """Return members' feedback on an answer."""
        from adapters.persistence.club_life_tables import AnswerFeedbackRow

        row = AnswerFeedbackRow
        given = select(row.member_id, row.feedback).where(row.turn_id == turn_id)
        return dict(session.exec(given).all())


def _keep_messages(session: Session, turn: Turn, end: TurnEnd, now: datetime) -> None:
    for message in end.messages:
        if message.role is not Role.USER:
            store(session, turn.conversation_id, message, turn_id=turn.turn_id, now=now)
        else:
            _judge(session, message, turn.turn_id)


def _answer_of(turn_id: int) -> Update:
    return update(MessageRow).where(col(MessageRow.turn_id) == turn_id, col(MessageRow.role) == Role.ASSISTANT)


def _judge(session: Session, message: ChatMessage, turn_id: int) -> None:
    """Store the page that a member's question turned out to be about."""
    row = MessageRow
    session.execute(
        update(row)
        .where(
            col(row.turn_id) == turn_id,
            col(row.role) == Role.USER,
            col(row.content) == message.content,
            col(row.author_id).is_not(None),
        )
        .values(
            author_name=message.author.display_name if message.author else None,
            position=message.position,
            reveals_page=message.reveals_page,
        )
    )


def _status(end: TurnEnd) -> TurnStatus:
    if end.error_code is not None:
        return TurnStatus.FAILED
    return TurnStatus.IDLE if end.outcome.nobody_asked else TurnStatus.ANSWERED


def _ended(end: TurnEnd, turn: Turn) -> dict[str, object]:
    """Return the final columns of a turn; costs are whole millionths of a dollar, which no database rounds."""
    outcome, failed = end.outcome, end.error_code is not None
    return {
        "status": _status(end),
        "position": turn.position,
        "agent_response": None if failed or outcome.nobody_asked else outcome.text,
        "guardrail_score": outcome.guardrail_score,
        "guardrail_reasoning": outcome.guardrail_reasoning,
        "retrieval_attempts": outcome.retrieval_attempts,
        "rewritten_query": outcome.rewritten_query,
        "sources": [
            {"start_page": each.start_page, "end_page": each.end_page, "chunk_id": each.chunk_id}
            for each in outcome.sources
        ],
        "reasoning_steps": list(end.steps),
        "provider": outcome.provider,
        "model": outcome.model,
        "input_tokens": outcome.usage.input_tokens,
        "output_tokens": outcome.usage.output_tokens,
        "cache_read_tokens": outcome.usage.cache_read_tokens,
        "cache_write_tokens": outcome.usage.cache_write_tokens,
        "cost_micro_usd": None if end.cost is None else round(end.cost * 1_000_000),
        "duration_ms": end.duration_ms,
        "max_iterations_reached": outcome.max_iterations_reached,
        "blocks": dict(outcome.blocks),
        "error_code": end.error_code,
    }
