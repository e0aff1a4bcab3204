"""Port: what a club did with a book, in sums and whole."""

from typing import Protocol

from core.domain.club_record import Archive, HowFar, MemberRecord, Ratings, ReadingSums


class ClubRecord(Protocol):
    """Looks back on readings, and keeps what members made of them."""

    async def sums(self, reading_id: str) -> ReadingSums:
        """Return a reading in numbers."""

    async def rate(
        self, reading_id: str, member_id: str, *, stars: int | None = None, how_far: HowFar | None = None
    ) -> Ratings:
        """Keep what a member says, in place of what they said before, and return what all made of it."""

    async def ratings(self, reading_id: str) -> Ratings:
        """Return what members made of a book."""

    async def archive(self, reading_id: str) -> Archive:
        """Return what was said and done before all, oldest first."""

    async def of_member(self, *, scope: str, member_id: str) -> MemberRecord:
        """Return all that is kept of a member in a scope, what is private to them included."""
