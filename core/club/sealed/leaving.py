"""Saving an item for a page and opening it there: what `quote` and `predict` share."""

from dataclasses import dataclass

from core.answering.threads import ThreadService
from core.catalogue.sentences import say
from core.club.commands.values import CommandRequest
from core.domain.club_state import ClubState
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import ASK_POSITION
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.ports.sealed_items import SealedItemRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Saves items at the thread's current page, and returns only those that are open there."""

    threads: ThreadService
    sealed_items: SealedItemRepository

    async def club_and_page(self, request: CommandRequest) -> tuple[ClubState, int]:
        """Return the club and its current page. Raises PositionError if no page is set."""
        club = await self.threads.club(request.thread, request.member.member_id)
        if club.page_of_all is None:
            raise PositionError(say(ASK_POSITION))
        return club, club.page_of_all

    async def leave(
        self, club: ClubState, kind: SealedItemKind, text: str, request: CommandRequest, *, opens_at: int
    ) -> SealedItem:
        """Save an item for a page; if the thread has passed that page, no notice is due any more."""
        position = club.page_of_all or 0
        return await self.sealed_items.keep(
            SealedItem(
                reading_id=club.reading_id,
                kind=kind,
                member_id=request.member.member_id,
                member_name=request.member.display_name,
                text=text,
                made_at=position,
                opens_at=opens_at,
                had_read_further=(club.reached or 0) > position,
                told=opens_at <= position,
            )
        )

    async def opened(self, club: ClubState, keepsake_id: int, *, closed: str) -> SealedItem:
        """Return an item that is open now. Raises ThusfarError with the sentence `closed` if it is not."""
        sealed_item = await self.sealed_items.find(club.reading_id, keepsake_id)
        if sealed_item is None or sealed_item.opens_at > (club.page_of_all or 0):
            raise ThusfarError(say(closed))
        return sealed_item
