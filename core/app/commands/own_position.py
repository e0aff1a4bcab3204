"""Where a member reads: at a page of their own, else where everybody does; what private answers go by."""

from core.app.positions import PositionService
from core.domain.conversation import Conversation
from core.domain.position import Position
from core.domain.reading import Reading
from core.ports.clubs import ClubRepository


async def own_position(
    place: Conversation | Reading, member_id: str, *, clubs: ClubRepository, positions: PositionService
) -> Position:
    """Return where the member stands for themselves, else where the thread does."""
    own = await clubs.member_position(place.reading_id, member_id)
    return own if own is not None else await positions.of_place(place)
