"""How a member leaves something for a page, and how it is found there again: what `quote` and `predict` share."""

from dataclasses import dataclass

from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.club.commands.open_books import own_position
from core.club.commands.values import CommandRequest
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import ASK_POSITION
from core.domain.position import Position
from core.domain.reading import PositionOwner
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository
from core.ports.sealed_items import SealedItemRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Keeps what is left where a thread stands, and gives back only what opens up to there."""

    threads: ThreadService
    positions: PositionService
    clubs: ClubRepository
    books: BookRepository
    sealed_items: SealedItemRepository

    async def standing(self, request: CommandRequest) -> tuple[PositionOwner, int]:
        """Return what is read here, and how far. Raises PositionError where nobody has said that."""
        owner = await self.threads.owner(request.thread)
        position = await self.positions.of_owner(owner)
        if position is None:
            raise PositionError(ASK_POSITION)
        return owner, position

    async def own(self, owner: PositionOwner, request: CommandRequest) -> Position:
        """Return where the member stands for themselves, else where the thread does."""
        return await own_position(owner, request.member.member_id, clubs=self.clubs, positions=self.positions)

    async def leave(self, kind: SealedItemKind, text: str, request: CommandRequest, *, opens_at: int) -> SealedItem:
        """Keep something for a page; where the thread has read that already, nobody has to be told of it any more.

        Raises:
            PositionError: nobody has said how far the thread is.
        """
        owner, position = await self.standing(request)
        return await self.sealed_items.keep(
            SealedItem(
                reading_id=owner.reading_id,
                kind=kind,
                member_id=request.member.member_id,
                member_name=request.member.display_name,
                text=text,
                made_at=position,
                opens_at=opens_at,
                had_read_further=(await self.own(owner, request) or 0) > position,
                told=opens_at <= position,
            )
        )

    async def opened(self, keepsake_id: int, request: CommandRequest, *, closed: str) -> SealedItem:
        """Return what opens where the thread stands now. Raises ThusfarError, with this sentence, where it does not."""
        owner = await self.threads.owner(request.thread)
        position = await self.positions.of_owner(owner)
        sealed_item = await self.sealed_items.find(owner.reading_id, keepsake_id)
        if sealed_item is None or sealed_item.opens_at > (position or 0):
            raise ThusfarError(closed)
        return sealed_item
