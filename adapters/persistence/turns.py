"""Turns in SQL: the record of questions and answers."""

from decimal import Decimal
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import ConversationRow, ReadingRow, TurnRow, utc_now
from core.domain.conversation import Turn, TurnOutcome, TurnStatus
from core.domain.errors import LLMErrorCode
from core.domain.position import Position
from core.domain.tool_use import TokenUsage
from core.ports.turns import RecordedAnswer, TurnRepository

# Prepared once, without row objects: every turn passes here.
_turn_table = SQLModel.metadata.tables["turn"]
_of = _turn_table.c
_ASKED = sql_select(*_of).where(
    _of.asked_by == bindparam("asked_by"), _of.conversation_id == bindparam("conversation_id")
)
_LATEST = sql_select(func.max(_of.turn_number)).where(_of.conversation_id == bindparam("conversation_id"))
_OPEN = insert(_turn_table).returning(_of.turn_id)
_END = update(_turn_table).where(_of.turn_id == bindparam("ended"))
_NOTHING_YET: dict[str, object] = {
    "retrieval_attempts": 0,
    "sources": [],
    "reasoning_steps": [],
    "input_tokens": 0,
    "output_tokens": 0,
    "cache_read_tokens": 0,
    "cache_write_tokens": 0,
}


class SqlTurnRepository(TurnRepository):
    """Turns by conversation, numbered from 1."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        """Begin a turn, or go on with it; the write lock keeps two writers from taking the same number."""

        def work(session: Session) -> Turn:
            connection = session.connection()
            this = {"asked_by": asked_by, "conversation_id": conversation_id}
            begun = connection.execute(_ASKED, this).first() if asked_by else None
            if begun is not None:
                return _turn(begun)
            latest = connection.execute(_LATEST, {"conversation_id": conversation_id}).scalar()
            number = (latest or 0) + 1
            row = this | {"turn_number": number, "status": TurnStatus.OPEN, "position": position}
            turn_id = connection.execute(
                _OPEN, _NOTHING_YET | row | {"user_query": user_query, "created_at": utc_now()}
            ).scalar_one()
            return Turn(
                turn_id=turn_id,
                conversation_id=conversation_id,
                turn_number=number,
                status=TurnStatus.OPEN,
                position=position,
                user_query=user_query,
                agent_response=None,
            )

        return await self._database.write(work)

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        """Fill in the answer; the cost is kept in whole millionths of a dollar, which no database rounds."""
        answer: dict[str, object] = {
            "status": TurnStatus.ANSWERED,
            "agent_response": outcome.text,
            "guardrail_score": outcome.guardrail_score,
            "retrieval_attempts": outcome.retrieval_attempts,
            "rewritten_query": outcome.rewritten_query,
            "sources": [
                {"start_page": s.start_page, "end_page": s.end_page, "chunk_id": s.chunk_id} for s in outcome.sources
            ],
            "reasoning_steps": [f"{call.iteration}: {call.tool}" for call in outcome.tool_calls],
            "provider": outcome.provider,
            "model": outcome.model,
            "cost_micro_usd": None if cost is None else round(cost * 1_000_000),
        }
        await self._end(turn_id, answer, outcome.usage, duration_ms)

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        """Record that there is no answer, why, and what was spent all the same."""
        await self._end(turn_id, {"status": TurnStatus.FAILED, "error_code": code}, usage, duration_ms)

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

    async def _end(self, turn_id: int, how: dict[str, object], usage: TokenUsage, duration_ms: int) -> None:
        end = how | {
            "ended": turn_id,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "duration_ms": duration_ms,
        }
        await self._database.write(lambda session: session.connection().execute(_END, end))


def _turn(row: TurnRow | Row[*tuple[Any, ...]]) -> Turn:
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
