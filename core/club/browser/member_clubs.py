"""The clubs of one member: what is read where, and how far everybody and they themselves are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.domain.position import Position, page_names
from core.domain.thread import Thread
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository


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
    """Looks the clubs up in the places that a platform says somebody is in: it knows who may see what."""

    def __init__(
        self, *, threads: ThreadService, positions: PositionService, clubs: ClubRepository, books: BookRepository
    ) -> None:
        self._threads = threads
        self._positions = positions
        self._clubs = clubs
        self._books = books

    async def execute(self, places: Iterable[Thread], *, member_id: str) -> list[MemberClub]:
        """Return those of the places in which something is read."""
        found = []
        for thread in places:
            reading = await self._threads.reading(thread)
            if reading is None:
                continue
            # Where one talks alone there is one thread, and its page is the page.
            owner = await self._threads.owner(thread) if thread.thread else reading
            book, outline = await self._books.get(reading.book_id), await self._books.outline(reading.book_id)
            found.append(
                MemberClub(
                    thread=thread,
                    title=book.title,
                    pages=outline.story_end,
                    position=await self._positions.of_owner(owner),
                    own=await self._clubs.member_position(reading.reading_id, member_id),
                    name=page_names(outline),
                )
            )
        return found
