"""Port: sealed items: quotes and predictions that open at a page, and votes on predictions."""

from typing import Protocol

from core.domain.sealed_item import SealedItem, SealedItemKind, Vote, Votes


class SealedItemRepository(Protocol):
    """Stores sealed items of readings. They are deleted with the reading or with their member."""

    async def keep(self, sealed_item: SealedItem) -> SealedItem:
        """Store an item and return it with its id. Raises BookError(NOT_FOUND) if the reading is gone."""

    async def of_reading(self, reading_id: str, kind: SealedItemKind) -> list[SealedItem]:
        """Return all items of a kind, by the page at which they open, then oldest first."""

    async def find(self, reading_id: str, keepsake_id: int) -> SealedItem | None:
        """Return an item of a reading; None if it is gone."""

    async def change(self, sealed_item: SealedItem) -> None:
        """Change the text and the page of an item; does nothing if it is gone."""

    async def of_week(self, reading_id: str, week: str, *, reached: int) -> SealedItem | None:
        """Return the quote of a week: the one chosen before, else the oldest that was not a week's quote yet.

        None if no quote opens up to the page `reached`.
        """

    async def vote(self, keepsake_id: int, member_id: str, vote: Vote) -> Votes:
        """Store a member's vote in place of their last one, and return all votes; none if the item is gone."""

    async def votes(self, keepsake_id: int) -> Votes:
        """Return the votes on a prediction."""
