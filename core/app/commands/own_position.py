"""Where a member reads: at a page of their own, else where everybody does; what private answers go by."""

from core.app.positions import PositionService
from core.domain.position import Position
from core.domain.reading import PositionOwner
from core.ports.clubs import ClubRepository


async def own_position(
    owner: PositionOwner, member_id: str, *, clubs: ClubRepository, positions: PositionService
) -> Position:
    """Return where the member stands for themselves, else where the thread does."""
    own = await clubs.member_position(owner.reading_id, member_id)
    return own if own is not None else await positions.of_owner(owner)
