"""The clubs of one member: the book of each, its page and the member's own page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.answering.threads import ThreadService
from core.domain.errors import ThusfarError
from core.domain.position import Position
from core.domain.thread import Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberClub:
    """A club as one of its members sees it; `own` is None where they hold no page of their own.

    `name` is what people see of a page number of its book.
    """

    thread: Thread
    title: str
    pages: int
    position: Position
    own: Position
    name: Callable[[int], str] = field(default=str, compare=False)


class MemberClubs:
    """Looks up the clubs in a member's places. The platform decides which places the member may see."""

    def __init__(self, *, threads: ThreadService) -> None:
        self._threads = threads

    async def execute(self, places: Iterable[Thread], *, member_id: str) -> list[MemberClub]:
        """Return the places that have a book."""
        found = []
        for thread in places:
            try:
                club = await self._threads.club(thread, member_id)
            except ThusfarError:
                continue
            found.append(
                MemberClub(
                    thread=thread,
                    title=club.book.title,
                    pages=club.outline.story_end,
                    position=club.page_of_all,
                    own=club.own_page,
                    name=club.page_name,
                )
            )
        return found
