"""One turn on the record: opened before the agent runs, answered or failed after it."""

import logging
import time
from dataclasses import dataclass

from core.app.allowance import Allowance
from core.app.chat import ChatWithBookUseCase
from core.app.costs import PriceTable, cost_of
from core.domain.chat_event import ChatEvent, EventSink, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author, Turn, TurnOutcome, TurnStatus
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.position import Position
from core.domain.thread import Thread
from core.domain.tool_use import TokenUsage
from core.ports.turns import TurnRepository

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A turn with its number, what the agent gave, and the position at which it was answered."""

    turn_id: int
    turn_number: int
    position: Position
    outcome: TurnOutcome


class RecordTurn:
    """Runs the agent for one question and keeps the record."""

    def __init__(
        self, *, chat: ChatWithBookUseCase, turns: TurnRepository, prices: PriceTable, allowance: Allowance
    ) -> None:
        self._allowance = allowance
        self._chat = chat
        self._turns = turns
        self._prices = prices

    async def execute(  # noqa: PLR0913 (each says one thing of the question)
        self,
        conversation_id: str,
        question: str,
        *,
        thread: Thread,
        position: Position,
        author: Author | None = None,
        asked_by: str | None = None,
        window: int | None = None,
        on_event: EventSink | None = None,
    ) -> RecordedTurn:
        """Answer and record. Whatever is raised (an LLMError, as a rule), the turn is then recorded as failed.

        A platform's message (`asked_by`) that comes again after a crash goes on with its turn, or gets its answer.
        """
        emit = unbreakable(on_event)
        turn = await self._turns.open(conversation_id, user_query=question, position=position, asked_by=asked_by)
        if turn.status is TurnStatus.ANSWERED:
            return _recorded(turn, TurnOutcome(text=turn.agent_response or ""), position=turn.position)
        began = time.monotonic()
        try:
            await self._allowance.take(thread, author.member_id if author else None)
            outcome = await self._chat.run(
                conversation_id,
                question,
                position=position,
                author=author,
                turn_id=turn.turn_id,
                asked_by=asked_by,
                window=window,
                on_event=emit,
            )
        except Exception as error:
            code = error.code if isinstance(error, LLMError) else LLMErrorCode.UNAVAILABLE
            usage = error.usage if isinstance(error, LLMError) else None
            await self._turns.failed(turn.turn_id, code, usage=usage or TokenUsage(), duration_ms=_since(began))
            emit(TurnFailedEvent(code=code))
            raise
        cost = cost_of(outcome.usage, outcome.model, self._prices, calls=outcome.iterations)
        await self._turns.answered(turn.turn_id, outcome, duration_ms=_since(began), cost=cost)
        emit(TurnAnsweredEvent())
        return _recorded(turn, outcome, position=position)


def unbreakable(on_event: EventSink | None) -> EventSink:
    """Return a sink that never raises: a reaction that fails must not take the answer with it (spec section 7)."""

    def emit(event: ChatEvent) -> None:
        try:
            if on_event is not None:
                on_event(event)
        except Exception:  # noqa: BLE001 (whatever it is)
            _log.exception("An event sink failed on %s.", type(event).__name__)

    return emit


def _recorded(turn: Turn, outcome: TurnOutcome, *, position: Position) -> RecordedTurn:
    return RecordedTurn(turn_id=turn.turn_id, turn_number=turn.turn_number, position=position, outcome=outcome)


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
