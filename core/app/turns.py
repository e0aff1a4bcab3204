"""One turn on the record: opened before the agent runs, answered or failed after it."""

import time
from dataclasses import dataclass

from core.app.chat import ChatWithBookUseCase
from core.domain.chat_event import EventSink, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author, TurnOutcome
from core.domain.errors import LLMError
from core.domain.position import Position
from core.ports.repositories import TurnRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A turn with its number and what the agent gave."""

    turn_id: int
    turn_number: int
    outcome: TurnOutcome


class RecordTurn:
    """Runs the agent for one question and keeps the record."""

    def __init__(self, *, chat: ChatWithBookUseCase, turns: TurnRepository) -> None:
        self._chat = chat
        self._turns = turns

    async def execute(
        self,
        conversation_id: str,
        question: str,
        *,
        position: Position,
        author: Author | None = None,
        on_event: EventSink | None = None,
    ) -> RecordedTurn:
        """Answer and record. Raises LLMError; the turn is then recorded as failed."""
        turn = await self._turns.open(conversation_id, user_query=question, position=position)
        began = time.monotonic()
        try:
            outcome = await self._chat.run(
                conversation_id, question, position=position, author=author, turn_id=turn.turn_id, on_event=on_event
            )
        except LLMError as error:
            await self._turns.failed(turn.turn_id, error.code, duration_ms=_since(began))
            if on_event is not None:
                on_event(TurnFailedEvent(code=error.code))
            raise
        await self._turns.answered(turn.turn_id, outcome, duration_ms=_since(began))
        if on_event is not None:
            on_event(TurnAnsweredEvent())
        return RecordedTurn(turn_id=turn.turn_id, turn_number=turn.turn_number, outcome=outcome)


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
