"""Port: proposals for a club's next book, and polls about them."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.poll import Poll, Proposal


class PollRepository(Protocol):
    """Stores the proposals and polls of a club, which is a place of a scope and need not have a book yet."""

    async def propose(self, *, scope: str, place: str, member_id: str, proposal: Proposal) -> None:
        """Store a member's proposal in place of their last one."""

    async def proposals(self, *, scope: str, place: str) -> list[Proposal]:
        """Return the proposals, each title once, sorted by title."""

    async def begin(self, *, scope: str, place: str, proposals: Sequence[Proposal]) -> Poll:
        """Open a poll; one that was open is closed."""

    async def latest(self, *, scope: str, place: str) -> Poll | None:
        """Return the poll that was opened last; None where there was none."""

    async def vote(self, *, scope: str, place: str, poll_id: int, member_id: str, option: int) -> Poll | None:
        """Count a member's vote in place of their last one; None where that poll of the club is not open."""

    async def close(self, *, scope: str, place: str) -> Poll | None:
        """Close the open poll and return it; None where none is open."""

    async def withdraw(self, *, scope: str, place: str, proposal: Proposal) -> None:
        """Delete a proposal that was chosen."""
