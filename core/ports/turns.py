"""Port: the record of questions and answers."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from core.domain.conversation import Turn, TurnOutcome
from core.domain.errors import LLMErrorCode
from core.domain.position import Position
from core.domain.tool_use import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """An answered turn, as a button that was pressed later finds it."""

    turn: Turn
    session_id: str
    book_id: str
    chunk_ids: tuple[int, ...]


class TurnRepository(Protocol):
    """The record of questions and answers."""

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        """Begin a turn; numbers count from 1 and are unique in a conversation, also under concurrent writers.

        `asked_by` names a platform's message: a turn that it has opened already is given back, to be gone on with.
        """

    async def get(self, turn_id: int) -> RecordedAnswer | None:
        """Return an answered turn with what it rests on; None where there is none."""

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        """Keep what a member thinks of an answer: 1 or -1."""

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        """Fill in the answer; `cost` is in US dollars, None where the price is not known."""

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        """Record that there is no answer, why, and what was spent all the same."""

    async def history(self, conversation_id: str, *, limit: int) -> list[Turn]:
        """Return the latest turns, oldest first."""
