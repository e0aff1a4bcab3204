"""The record of turns in SQL: each begins in one transaction and ends in another, both of prepared statements."""

from datetime import datetime

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlmodel import SQLModel

from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database
from adapters.persistence.inbox import OF_REF, settle_turn
from adapters.persistence.messages import store
from adapters.persistence.prepared import Prepared, Unit
from adapters.persistence.standings import STANDS, no_conversation, no_reading, standing_of_row
from adapters.persistence.turn_beginning import TurnBeginning, turn_of
from core.domain.conversation import SETTLED, SPOILER, ChatMessage, Role, Turn, TurnStatus
from core.domain.errors import TakenOverError
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.ports.turn_record import BegunTurn, NoReading, RecordedAnswer, TurnEnd, TurnRecord

_table = SQLModel.metadata.tables
_reading, _conversation = _table["reading"], _table["conversation"]
_turn, _message = _table["turn"], _table["message"]
_inbox = _table["inbound_event"]

_NOW = Prepared(
    select(*STANDS, _conversation.c.session_id, _turn.c.user_query, _turn.c.status, _inbox.c.owner.label("leased_by"))
    .select_from(_turn)
    .join(_conversation, _conversation.c.conversation_id == _turn.c.conversation_id)
    .join(_reading, _reading.c.reading_id == _conversation.c.reading_id)
    .outerjoin(_inbox, and_(*OF_REF, _inbox.c.leased_until > bindparam("real_now")))
    .where(_turn.c.turn_id == bindparam("of_turn"))
)
_JUDGED = Prepared(
    update(_message)
    .where(
        _message.c.turn_id == bindparam("of_turn"),
        _message.c.role == Role.USER,
        _message.c.content == bindparam("judged"),
        _message.c.author_id.is_not(None),
    )
    .values(author_name=bindparam("called"), position=bindparam("at_page"), reveals_page=bindparam("tells"))
)
_LEARNED = (
    "status",
    "position",
    "agent_response",
    "guardrail_score",
    "guardrail_reasoning",
    "retrieval_attempts",
    "rewritten_query",
    "sources",
    "reasoning_steps",
    "provider",
    "model",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "cost_micro_usd",
    "duration_ms",
    "max_iterations_reached",
    "blocks",
    "error_code",
)
_END = Prepared(
    update(_turn).where(_turn.c.turn_id == bindparam("of_turn")).values({name: bindparam(name) for name in _LEARNED})
)
_CHANGED = Prepared(
    update(_conversation)
    .where(_conversation.c.conversation_id == bindparam("of_conversation"))
    .values(updated_at=bindparam("now", type_=_conversation.c.updated_at.type))
)
_OVER = tuple(SETTLED)
"""Another process has ended the turn, whose lease on it had begun when this one's ran out: what it said stands."""
_LET_GO = Prepared(delete(_message).where(_message.c.turn_id == bindparam("of_turn")))
_SAYS_NOTHING = Prepared(
    update(_turn)
    .where(_turn.c.turn_id == bindparam("of_turn"))
    .values(user_query="", rewritten_query=None, guardrail_reasoning=None)
)
_ANSWER = Prepared(
    select(_turn, _conversation.c.session_id, _reading.c.book_id)
    .select_from(_turn)
    .join(_conversation, _conversation.c.conversation_id == _turn.c.conversation_id)
    .join(_reading, _reading.c.reading_id == _conversation.c.reading_id)
    .where(
        _turn.c.turn_id == bindparam("of_turn"),
        or_(
            _turn.c.status == TurnStatus.ANSWERED,
            _turn.c.status == TurnStatus.ASKED_BACK,
            _turn.c.status == TurnStatus.HIDDEN,
        ),
    )
)


class SqlTurnRecord(TurnRecord):
    """Turns with their messages. The write lock keeps two writers from taking the same number."""

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        self._database = database
        self._beginning = TurnBeginning(embedding_model_id=embedding_model_id, process=database.process)

    async def begin(self, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn in one transaction, or go on with it."""
        return await self._database.prepared_write(
            lambda unit: self._beginning.begin(unit, message, now=now, latest=latest)
        )

    async def end(self, turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        """End a turn in one transaction, and return where its thread stands by now."""
        from adapters.persistence.forgetting import is_forgotten

        def work(unit: Unit) -> Position:
            of_message = {"of_ref": end.ref, "of_bot": end.heard_by, "real_now": utc_now()}
            row = unit.first(_NOW, {"of_turn": turn.turn_id, **of_message})
            if row is None or is_forgotten(row.session_id):
                raise no_conversation(turn.conversation_id)
            if row.book_id != turn.book_id:
                raise no_reading()
            was_ended = row.status in _OVER or row.status != turn.status
            if was_ended or row.leased_by not in (None, self._database.process):
                raise TakenOverError("Another process has this turn by now.")
            as_asked = row.user_query == turn.user_query
            for message in end.messages:
                if message.role is not Role.USER:
                    store(unit, turn.conversation_id, message, turn_id=turn.turn_id, now=now)
                else:
                    unit.run(_JUDGED, _judged(message, turn.turn_id))
            unit.run(_END, _ended(end, turn, as_asked=as_asked) | {"of_turn": turn.turn_id})
            unit.run(_CHANGED, {"of_conversation": turn.conversation_id, "now": now})
            settle_turn(unit, end.ref, bot=end.heard_by, reply=end.reply)
            if end.outcome.nobody_asked:
                unit.run(_LET_GO, {"of_turn": turn.turn_id})
                unit.run(_SAYS_NOTHING, {"of_turn": turn.turn_id})
            return standing_of_row(unit, row).public(now)

        return await self._database.prepared_write(work)

    async def answer(self, turn_id: int) -> RecordedAnswer | None:
        """Return an answered turn with what it rests on; None where there is none."""

        def work(unit: Unit) -> RecordedAnswer | None:
            row = unit.first(_ANSWER, {"of_turn": turn_id})
            if row is None:
                return None
            return RecordedAnswer(
                turn=turn_of(row, row.book_id),
                session_id=row.session_id,
                book_id=row.book_id,
                chunk_ids=tuple(int(source["chunk_id"]) for source in row.sources),
                searched_for=row.rewritten_query or row.user_query,
                ref=row.asked_by,
            )

        return await self._database.prepared_read(work)

    async def give_feedback(self, turn_id: int, feedback: int, *, member_id: str) -> None:
        """Keep what a member thinks of an answer, once: 1 or -1."""
        from adapters.persistence.answer_feedback import HIDES, IN_NO_CONTEXT, THINKS, THINKS_OTHERWISE

        given = {"of_turn": turn_id, "of_member": member_id}

        def work(unit: Unit) -> None:
            unit.run(THINKS_OTHERWISE, given)
            unit.run(THINKS, given | {"thinks": feedback})
            if feedback == SPOILER:
                unit.run(HIDES, {"of_turn": turn_id})
                unit.run(IN_NO_CONTEXT, {"of_turn": turn_id})

        await self._database.prepared_write(work)

    async def take_back_reports(self, turn_id: int) -> None:
        """Forget that an answer was reported; it tells no more than the page that it was written for."""
        from adapters.persistence.answer_feedback import IN_CONTEXTS, IS_NO_SPOILER, SHOWS

        def work(unit: Unit) -> None:
            for statement in (IS_NO_SPOILER, SHOWS, IN_CONTEXTS):
                unit.run(statement, {"of_turn": turn_id})

        await self._database.prepared_write(work)

    async def feedback(self, turn_id: int) -> dict[str, int]:
        """Return what members think of an answer."""
        from adapters.persistence.answer_feedback import FEEDBACK

        return await self._database.prepared_read(
            lambda unit: {row.member_id: row.feedback for row in unit.all(FEEDBACK, {"of_turn": turn_id})}
        )


def _judged(message: ChatMessage, turn_id: int) -> dict[str, object]:
    return {
        "of_turn": turn_id,
        "judged": message.content,
        "called": message.author.display_name if message.author else None,
        "at_page": message.position,
        "tells": message.reveals_page,
    }


def _status(end: TurnEnd) -> TurnStatus:
    if end.error_code is not None:
        return TurnStatus.FAILED
    return TurnStatus.IDLE if end.outcome.nobody_asked else TurnStatus.ANSWERED


def _ended(end: TurnEnd, turn: Turn, *, as_asked: bool) -> dict[str, object]:
    """Return the row of a turn as it ends; costs are whole millionths of a dollar, which no database rounds.

    What was made of a question that has been taken back since goes with it.
    """
    outcome, failed = end.outcome, end.error_code is not None
    return {
        "status": _status(end),
        "position": turn.position,
        "agent_response": None if failed or outcome.nobody_asked else outcome.text,
        "guardrail_score": outcome.guardrail_score,
        "guardrail_reasoning": outcome.guardrail_reasoning if as_asked else None,
        "retrieval_attempts": outcome.retrieval_attempts,
        "rewritten_query": outcome.rewritten_query if as_asked else None,
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
