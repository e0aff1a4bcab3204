"""Port: a club's settings, its members' own pages and choices, and the deletion of data."""

from datetime import datetime
from typing import Protocol

from core.domain.position import AnswerIn, Pace, PageControl, Position
from core.domain.reading import Listen, ListeningRule, Usage


class ClubRepository(Protocol):
    """Stores what members and organisers set for a reading or a thread, and deletes members, threads and clubs."""

    async def member_position(self, reading_id: str, member_id: str) -> Position:
        """Return a member's own page; None if they have not set one."""

    async def answer_in(self, conversation_id: str, member_id: str) -> AnswerIn | None:
        """Return where a member whose page is behind the thread's wants answers; None if they have not chosen."""

    async def set_answer_in(self, conversation_id: str, member_id: str, chosen: AnswerIn) -> None:
        """Store where a member whose page is behind the thread's wants answers."""

    async def spoke(self, reading_id: str, member_id: str, at: datetime) -> None:
        """Note that a member spoke. Only members who spoke recently count for the pace."""

    async def set_pace(self, reading_id: str, pace: Pace) -> None:
        """Set whom the reading waits for."""

    async def set_page_control(self, reading_id: str, page_control: PageControl) -> None:
        """Set who may move the shared page."""

    async def hearing(self, conversation_id: str) -> ListeningRule:
        """Return the listening rule of a thread: its own, else its club's."""

    async def set_listen(self, conversation_id: str, listen: Listen) -> None:
        """Set what a thread listens to, for all its books."""

    async def set_club_listen(self, club_id: str, listen: Listen) -> None:
        """Set what the threads of a club listen to that have no rule of their own."""

    async def usage(self, *, scope: str, place: str, since: datetime) -> Usage:
        """Return the tokens that a club's turns have used since a time."""

    async def spent_micro_usd(self, *, since: datetime) -> int:
        """Return what all turns since a time have cost, in millionths of a dollar; unknown prices count as nothing."""

    async def forget_member(self, *, scope: str, member_id: str) -> int:
        """Clear a member's messages in a scope, and delete their pages and private conversations.

        The tokens of their turns still count as usage. Returns how many messages were cleared.
        """

    async def forget_conversation(self, conversation_id: str) -> None:
        """Delete a conversation, everything that depends on it, and members' private conversations in its thread."""

    async def forget_talk(self, *, before: datetime) -> int:
        """Delete what was said in all conversations whose last turn was before a time; their pages and usage stay.

        Returns how many messages were deleted.
        """

    async def forget_club(self, *, scope: str, place: str) -> None:
        """Delete a club with its readings and conversations; its books stay."""
