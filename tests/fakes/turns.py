"""Turns, in memory."""

from dataclasses import replace
from decimal import Decimal

from core.domain.conversation import Turn, TurnOutcome, TurnStatus
from core.domain.errors import LLMErrorCode
from core.domain.position import Position
from core.domain.tool_use import TokenUsage
from core.ports.turns import RecordedAnswer, TurnRepository
from tests.fakes.conversations import InMemoryConversationRepository


class InMemoryTurnRepository(TurnRepository):
    """Turns in one list; `outcomes`, `failures`, `durations` and `costs` keep what was recorded of each."""

    def __init__(self, conversations: InMemoryConversationRepository) -> None:
        self._turns: dict[int, Turn] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self._conversations = conversations
        self.feedback: dict[int, int] = {}
        self.outcomes: dict[int, TurnOutcome] = {}
        self.failures: dict[int, LLMErrorCode] = {}
        self.durations: dict[int, int] = {}
        self.spent: dict[int, TokenUsage] = {}
        self.costs: dict[int, Decimal | None] = {}

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        if asked_by and (conversation_id, asked_by) in self._asked:
            return self._turns[self._asked[conversation_id, asked_by]]
        turn = Turn(
            turn_id=len(self._turns) + 1,
            conversation_id=conversation_id,
            turn_number=1 + sum(turn.conversation_id == conversation_id for turn in self._turns.values()),
            status=TurnStatus.OPEN,
            position=position,
            user_query=user_query,
        )
        self._turns[turn.turn_id] = turn
        if asked_by:
            self._asked[conversation_id, asked_by] = turn.turn_id
        return turn

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        self._turns[turn_id] = replace(self._turns[turn_id], status=TurnStatus.ANSWERED, agent_response=outcome.text)
        self.outcomes[turn_id], self.durations[turn_id], self.costs[turn_id] = outcome, duration_ms, cost

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        self._turns[turn_id] = replace(self._turns[turn_id], status=TurnStatus.FAILED)
        self.failures[turn_id], self.durations[turn_id], self.spent[turn_id] = code, duration_ms, usage

    async def get(self, turn_id: int) -> RecordedAnswer | None:
        turn = self._turns.get(turn_id)
        if turn is None or turn.status is not TurnStatus.ANSWERED:
            return None
        conversation = await self._conversations.get(turn.conversation_id)
        return RecordedAnswer(
            turn=turn,
            session_id=conversation.session_id,
            book_id=conversation.book_id,
            chunk_ids=tuple(source.chunk_id for source in self.outcomes[turn_id].sources),
        )

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        self.feedback[turn_id] = feedback

    async def history(self, conversation_id: str, *, limit: int) -> list[Turn]:
        turns = [turn for turn in self._turns.values() if turn.conversation_id == conversation_id]
        return turns[-limit:] if limit else []
