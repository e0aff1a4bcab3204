"""`progress`: how far the club has come, and for whoever asks how far they have; who is where is told to nobody."""

from collections.abc import Callable

from core.app.commands.values import Command, CommandRequest, CommandResponse, Who
from core.app.positions import PositionService
from core.app.schedules import Schedules
from core.app.threads import ThreadService
from core.domain.book import Book
from core.domain.errors import PositionError
from core.domain.pace import WINDOW, pace_line, pages_a_day
from core.domain.position import Position
from core.domain.progress import bar, percent, reached
from core.domain.reading import PositionOwner
from core.domain.scope import is_private
from core.domain.words import ASK_POSITION
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository
from core.ports.own_marks import OwnMarks
from core.ports.readings import ReadingRepository


class ProgressCommands:
    """`progress`."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        positions: PositionService,
        readings: ReadingRepository,
        clubs: ClubRepository,
        books: BookRepository,
        schedules: Schedules,
        marks: OwnMarks,
    ) -> None:
        self._threads = threads
        self._positions = positions
        self._readings = readings
        self._clubs = clubs
        self._books = books
        self._schedules = schedules
        self._marks = marks

    def commands(self) -> list[Command]:
        """Return the command."""
        return [
            Command(
                words="progress",
                takes="[here]",
                who=Who.EVERYONE,
                help="show how far you have come; with here, for all of you",
                run=self._progress,
                is_said=lambda text: text.strip().lower() in {"", "here"},
            )
        ]

    async def _progress(self, request: CommandRequest) -> CommandResponse:
        """Show the club's page; to the asker alone their own page too.

        Raises:
            PositionError: nobody has said a page, or something else than `here` was asked for.
        """
        wanted = request.text.strip().lower()
        if wanted not in {"", "here"}:
            raise PositionError("`progress` takes nothing, or `here`.")
        owner = await self._threads.owner(request.thread)
        position = await self._positions.of_owner(owner)
        own = await self._clubs.member_position(owner.reading_id, request.member.member_id)
        if position is None and (own is None or wanted):
            raise PositionError(ASK_POSITION)
        book = await self._books.get(owner.book_id)
        name = await self._positions.page_names(owner)
        lines = [] if position is None else await self._of_all(owner, position, book, name)
        if wanted:
            return CommandResponse(announcement="\n".join(filter(None, lines)))
        if own is not None:
            lines.append(f"You: {_line(own, book, name)}")
        lines.append(await self._pace(owner, request, has_own=own is not None))
        lines.append(await self._to_goal(owner, position if own is None and is_private(request.thread.scope) else own))
        return CommandResponse(text="\n".join(filter(None, lines)))

    async def _of_all(self, owner: PositionOwner, position: int, book: Book, name: Callable[[int], str]) -> list[str]:
        """Return what is told of all together: the page, the section that comes next, how many have come so far."""
        goal = await self._schedules.goal(owner.reading_id)
        section = "" if goal is None else goal.words(name)
        return [_line(position, book, name), section, await self._others(owner, position, name)]

    async def _to_goal(self, owner: PositionOwner, position: Position) -> str:
        """Tell a member alone how much a day it takes to the next section's end."""
        goal = await self._schedules.goal(owner.reading_id)
        return "" if goal is None or position is None else goal.pace(position, self._schedules.now())

    async def _pace(self, owner: PositionOwner, request: CommandRequest, *, has_own: bool) -> str:
        """Tell a member alone how fast they read; nothing where only the club's page is known, or too little of it."""
        now = self._schedules.now()
        if has_own:
            said = await self._marks.pages_said(owner.reading_id, request.member.member_id, since=now - WINDOW)
        elif is_private(request.thread.scope):
            said = await self._marks.pages_moved(owner.reading_id, since=now - WINDOW)
        else:
            return ""
        return pace_line(pages_a_day(said, now=now))

    async def _others(self, owner: PositionOwner, position: int, name: Callable[[int], str]) -> str:
        """Tell how many have come as far as the club's page, of those who have said; nothing of fewer than four."""
        standing = await self._readings.reading_standing(owner.reading_id)
        counted = reached(standing.members, position)
        if counted is None or not position:
            return ""
        return f"{counted[0]} of {counted[1]} have reached p. {name(position)}."


def _line(position: int, book: Book, name: Callable[[int], str]) -> str:
    page = f"p. {name(position)} of {name(book.pages)}" if position else "nothing read yet"
    return f"{bar(position, book.pages)} {page} ({percent(position, book.pages)} %)"
