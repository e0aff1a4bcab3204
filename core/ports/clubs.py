"""Port: how a club reads: its members' own positions, its settings, and forgetting."""

from datetime import datetime
from typing import Protocol

from core.domain.position import AnswerIn, Pace, PageControl, Position
from core.domain.reading import Listen, ListeningRule, Usage


class ClubRepository(Protocol):
    """What members and organisers set for a reading or a thread."""

    async def member_position(self, reading_id: str, member_id: str) -> Position:
        """Return where a member stands for themselves; None where they have not said."""

    async def set_member_position(self, reading_id: str, member_id: str, position: Position) -> None:
        """Move a member's own position."""

    async def answer_in(self, conversation_id: str, member_id: str) -> AnswerIn | None:
        """Return where a member who is behind a thread chose to be answered; None where they have not chosen."""

    async def set_answer_in(self, conversation_id: str, member_id: str, chosen: AnswerIn) -> None:
        """Keep where a member who is behind a thread wants to be answered."""

    async def spoke(self, reading_id: str, member_id: str, at: datetime) -> None:
        """Note that a member spoke (who is silent holds nobody back)."""

    async def set_pace(self, reading_id: str, pace: Pace) -> None:
        """Say whom the reading waits for."""

    async def set_page_control(self, reading_id: str, page_control: PageControl) -> None:
        """Say who may move the public position."""

    async def hearing(self, conversation_id: str) -> ListeningRule:
        """Return what a thread listens to: what was said in it, else what its club does."""

    async def set_listen(self, conversation_id: str, listen: Listen) -> None:
        """Say what a thread listens to, whatever book it is about."""

    async def set_club_listen(self, club_id: str, listen: Listen) -> None:
        """Say what all threads of a club listen to that were not told otherwise."""

    async def usage(self, *, scope: str, place: str, since: datetime) -> Usage:
        """Return what a club's turns since then took."""

    async def forget_member(self, *, scope: str, member_id: str) -> int:
        """Empty what a member said in a scope, and drop their positions and what they asked for themselves.

        What their turns took still counts as usage. Returns how many messages that were.
        """

    async def forget_conversation(self, conversation_id: str) -> None:
        """Drop a conversation with all that hangs on it, and what members asked beside it for themselves."""

    async def forget_club(self, *, scope: str, place: str) -> None:
        """Drop a club with all its readings and conversations; its books stay."""
