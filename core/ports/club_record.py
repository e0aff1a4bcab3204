"""Port: what a club did with a book: sums, ratings and the archive."""

from typing import Protocol

from core.domain.club_record import Archive, HowFar, MemberRecord, Ratings, ReadingSums


class ClubRecord(Protocol):
    """Reads the record of a reading, and stores members' ratings."""

    async def sums(self, reading_id: str) -> ReadingSums:
        """Return a reading in numbers."""

    async def rate(
        self, reading_id: str, member_id: str, *, stars: int | None = None, how_far: HowFar | None = None
    ) -> Ratings:
        """Store a member's rating in place of their last one, and return the ratings of all."""

    async def ratings(self, reading_id: str) -> Ratings:
        """Return the ratings of all members."""

    async def archive(self, reading_id: str) -> Archive:
        """Return what was said and done in public, oldest first."""

    async def of_member(self, *, scope: str, member_id: str) -> MemberRecord:
        """Return everything stored about a member in a scope, including what is private to them."""
