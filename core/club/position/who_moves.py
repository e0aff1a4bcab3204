"""Who may move a page: a club's own rule; for the page of two that read as one, the stricter of both."""

from core.club.commands.values import CommandRequest
from core.domain.conversation import Conversation
from core.domain.errors import NotPermittedError
from core.domain.position import PageControl
from core.domain.reading import PositionOwner
from core.ports.club_links import ClubLinks
from core.ports.readings import ReadingRepository


class WhoMoves:
    """Knows the rule of every reading, and of the one that goes with it."""

    def __init__(self, *, readings: ReadingRepository, links: ClubLinks) -> None:
        self._readings = readings
        self._links = links

    async def check(self, owner: PositionOwner, request: CommandRequest) -> None:
        """Look whether the page may be moved. Raises NotPermittedError."""
        if request.is_organiser:
            return
        reading = await self._readings.get(owner.reading_id)
        if reading.page_control is PageControl.ORGANISERS:
            raise NotPermittedError("In this club only organisers move the page. `/mypage` moves your own.")
        other = None if isinstance(owner, Conversation) else await self._links.beside(owner.reading_id)
        if other is not None and other.reading.page_control is PageControl.ORGANISERS:
            raise NotPermittedError(
                "In the club that reads with yours only organisers move the page, so the same goes here. "
                "`/mypage` moves your own."
            )
