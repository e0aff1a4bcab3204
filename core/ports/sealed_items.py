"""Port: what members left for pages of a book: quotes and predictions, and the votes on these."""

from typing import Protocol

from core.domain.sealed_item import SealedItem, SealedItemKind, Vote, Votes


class SealedItemRepository(Protocol):
    """Keepsakes by reading; they go with it, and with the member who left them."""

    async def keep(self, sealed_item: SealedItem) -> SealedItem:
        """Store one and return it with its id. Raises BookError(NOT_FOUND) where the reading is gone."""

    async def of_reading(self, reading_id: str, kind: SealedItemKind) -> list[SealedItem]:
        """Return all of a kind, in the order of the pages at which they open, then as they were left."""

    async def find(self, reading_id: str, keepsake_id: int) -> SealedItem | None:
        """Return one of a reading's; None where it is gone."""

    async def change(self, sealed_item: SealedItem) -> None:
        """Give one another text and another page to open at; where it is gone, nothing is done."""

    async def of_week(self, reading_id: str, week: str, *, reached: int) -> SealedItem | None:
        """Return the quotation that is a week's: the one that was, else the oldest that is no week's yet.

        None where there is none that opens up to a page.
        """

    async def vote(self, keepsake_id: int, member_id: str, vote: Vote) -> Votes:
        """Count a member's vote in place of their last one, and return all votes; none where it is gone."""

    async def votes(self, keepsake_id: int) -> Votes:
        """Return the votes on a prediction."""
