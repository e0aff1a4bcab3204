"""`progress`: how far the club has come, and for whoever asks how far they have; who is where is told to nobody."""

from collections.abc import Callable

from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.club.commands.values import Command, CommandRequest, CommandResponse, Option
from core.club.schedule.schedules import Schedules
from core.domain.errors import PositionError
from core.domain.messages import ASK_POSITION
from core.domain.position import Position
from core.domain.progress import (
    PACE_WINDOW,
    PageMark,
    ProgressChart,
    bar,
    counted_line,
    pace_line,
    pages_a_day,
    reached,
)
from core.domain.reading import PositionOwner
from core.domain.scopes import is_private
from core.ports.bookmarks import Bookmarks
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository
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
        marks: Bookmarks,
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
                takes=Option(name="where", hint="here", is_optional=True),
                help="show how far you've read; `here` shows it to everyone",
                is_said=lambda text: text.strip().lower() in {"", "here"},
                run=self._progress,
            )
        ]

    async def _progress(self, request: CommandRequest) -> CommandResponse:
        """Show the club's page; to the asker alone their own page too.

        Raises:
            PositionError: nobody has said a page, or something else than `here` was asked for.
        """
        wanted = request.text.strip().lower()
        if wanted not in {"", "here"}:
            raise PositionError("`/progress` takes nothing, or `here`.")
        owner = await self._threads.owner(request.thread)
        position = await self._positions.of_owner(owner)
        own = await self._clubs.member_position(owner.reading_id, request.member.member_id)
        if position is None and (own is None or wanted):
            raise PositionError(ASK_POSITION)
        name = await self._positions.page_names(owner)
        chart = await self._chart(owner, position, None if wanted else own, name)
        lines = await self._of_all(owner, chart, name)
        if wanted:
            return CommandResponse(announcement="\n".join(filter(None, lines)), chart=chart)
        if chart.own is not None:
            lines.append(f"You: {_line(chart.own, chart)}")
        lines.append(await self._pace(owner, request, has_own=own is not None))
        lines.append(await self._to_goal(owner, position if own is None and is_private(request.thread.scope) else own))
        return CommandResponse(text="\n".join(filter(None, lines)), chart=chart)

    async def _chart(
        self, owner: PositionOwner, position: Position, own: Position, name: Callable[[int], str]
    ) -> ProgressChart:
        """Return how far that is, as far as it may be told: all of it is told in words as well."""
        last = (await self._books.outline(owner.book_id)).story_end
        goal = None if position is None else await self._schedules.goal(owner.reading_id)
        return ProgressChart(
            last=_mark(last, name),
            together=None if position is None else _mark(position, name),
            own=None if own is None else _mark(own, name),
            goal=None if goal is None else _mark(goal.section.last_page, name),
            section=None if goal is None else (goal.section.number, goal.sections),
            counted=None if not position else await self._counted(owner, position),
        )

    async def _of_all(self, owner: PositionOwner, chart: ProgressChart, name: Callable[[int], str]) -> list[str]:
        """Return what is told of all together: the page, the section that comes next, how many have come so far."""
        if chart.together is None:
            return []
        goal = await self._schedules.goal(owner.reading_id)
        counted = "" if chart.counted is None else counted_line(chart.counted, chart.together.name)
        return [_line(chart.together, chart), "" if goal is None else goal.words(name), counted]

    async def _counted(self, owner: PositionOwner, position: int) -> tuple[int, int] | None:
        """Return how many have come as far as the club's page, of those who have said; nothing of fewer than four."""
        standing = await self._readings.reading_standing(owner.reading_id)
        return reached(standing.members, position)

    async def _to_goal(self, owner: PositionOwner, position: Position) -> str:
        """Tell a member alone how much a day it takes to the next section's end."""
        goal = await self._schedules.goal(owner.reading_id)
        return "" if goal is None or position is None else goal.pace(position, self._schedules.now())

    async def _pace(self, owner: PositionOwner, request: CommandRequest, *, has_own: bool) -> str:
        """Tell a member alone how fast they read; nothing where only the club's page is known, or too little of it."""
        now = self._schedules.now()
        if has_own:
            said = await self._marks.pages_said(owner.reading_id, request.member.member_id, since=now - PACE_WINDOW)
        elif is_private(request.thread.scope):
            said = await self._marks.pages_moved(owner.reading_id, since=now - PACE_WINDOW)
        else:
            return ""
        return pace_line(pages_a_day(said, now=now))


def _mark(page: int, name: Callable[[int], str]) -> PageMark:
    return PageMark(page=page, name=name(page))


def _line(mark: PageMark, chart: ProgressChart) -> str:
    of_all = f" of {chart.last.name}" if mark.page <= chart.last.page else ""
    page = f"p. {mark.name}{of_all}" if mark.page else "nothing read yet"
    return f"{bar(min(mark.page, chart.last.page), chart.last.page)} {page} ({chart.share(mark)} %)"
