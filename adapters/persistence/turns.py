"""Turns in SQL: the record of questions and answers."""

from decimal import Decimal

from sqlalchemy import func
from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import ConversationRow, ReadingRow, TurnRow
from core.domain.conversation import Turn, TurnOutcome, TurnStatus
from core.domain.errors import LLMErrorCode
from core.domain.position import Position
from core.domain.tool_use import TokenUsage
from core.ports.repositories import RecordedAnswer, TurnRepository


class SqlTurnRepository(TurnRepository):
    """Turns by conversation, numbered from 1."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        """Begin a turn, or go on with it; the write lock keeps two writers from taking the same number."""

        def work(session: Session) -> Turn:
            begun = (
                session.exec(
                    select(TurnRow).where(TurnRow.asked_by == asked_by, TurnRow.conversation_id == conversation_id)
                ).first()
                if asked_by
                else None
            )
            if begun is not None:
                return _turn(begun)
            latest = session.exec(
                select(func.max(TurnRow.turn_number)).where(TurnRow.conversation_id == conversation_id)
            ).one()
            row = TurnRow(
                conversation_id=conversation_id,
                turn_number=(latest or 0) + 1,
                status=TurnStatus.OPEN,
                position=position,
                asked_by=asked_by,
                user_query=user_query,
            )
            session.add(row)
            session.flush()
            return _turn(row)

        return await self._database.write(work)

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        """Fill in the answer; the cost is kept in whole millionths of a dollar, which no database rounds."""

        def work(session: Session) -> None:
            row = session.get_one(TurnRow, turn_id)
            row.status = TurnStatus.ANSWERED
            row.agent_response = outcome.text
            row.guardrail_score = outcome.guardrail_score
            row.retrieval_attempts = len(outcome.tool_calls)
            row.sources = [
                {"start_page": s.start_page, "end_page": s.end_page, "chunk_id": s.chunk_id} for s in outcome.sources
            ]
            row.reasoning_steps = [f"{call.iteration}: {call.tool}" for call in outcome.tool_calls]
            row.provider = outcome.provider
            row.model = outcome.model
            _spend(row, outcome.usage)
            row.duration_ms = duration_ms
            row.cost_micro_usd = None if cost is None else round(cost * 1_000_000)
            session.add(row)

        await self._database.write(work)

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        """Record that there is no answer, why, and what was spent all the same."""

        def work(session: Session) -> None:
            row = session.get_one(TurnRow, turn_id)
            row.status = TurnStatus.FAILED
            row.error_code = code
            _spend(row, usage)
            row.duration_ms = duration_ms
            session.add(row)

        await self._database.write(work)

    async def get(self, turn_id: int) -> RecordedAnswer | None:
        """Return an answered turn with what it rests on; None where there is none."""

        def work(session: Session) -> RecordedAnswer | None:
            row = session.get(TurnRow, turn_id)
            if row is None or row.status != TurnStatus.ANSWERED:
                return None
            thread = session.get_one(ConversationRow, row.conversation_id)
            return RecordedAnswer(
                turn=_turn(row),
                session_id=thread.session_id,
                book_id=session.get_one(ReadingRow, thread.reading_id).book_id,
                chunk_ids=tuple(int(str(source["chunk_id"])) for source in row.sources),
            )

        return await self._database.read(work)

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        """Keep what a member thinks of an answer: 1 or -1."""

        def work(session: Session) -> None:
            row = session.get(TurnRow, turn_id)
            if row is not None:
                row.feedback = feedback
                session.add(row)

        await self._database.write(work)

    async def history(self, conversation_id: str, *, limit: int) -> list[Turn]:
        """Return the latest turns, oldest first."""

        def work(session: Session) -> list[Turn]:
            rows = session.exec(
                select(TurnRow)
                .where(TurnRow.conversation_id == conversation_id)
                .order_by(col(TurnRow.turn_number).desc())
                .limit(limit)
            ).all()
            return [_turn(row) for row in reversed(rows)]

        return await self._database.read(work)


def _spend(row: TurnRow, usage: TokenUsage) -> None:
    row.input_tokens = usage.input_tokens
    row.output_tokens = usage.output_tokens
    row.cache_read_tokens = usage.cache_read_tokens
    row.cache_write_tokens = usage.cache_write_tokens


def _turn(row: TurnRow) -> Turn:
    if row.turn_id is None:
        raise ValueError("A turn has an id once it is stored.")
    return Turn(
        turn_id=row.turn_id,
        conversation_id=row.conversation_id,
        turn_number=row.turn_number,
        status=TurnStatus(row.status),
        position=row.position,
        user_query=row.user_query,
        agent_response=row.agent_response,
    )
