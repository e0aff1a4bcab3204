"""`progress`: the club's page, and the asker's own page for them alone; no one sees who is where."""

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Command, CommandRequest, CommandResponse, Option
from core.club.schedule.schedules import goal_of
from core.domain.book import BookOutline
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.messages import ASK_POSITION
from core.domain.position import Position, page_names
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
from core.domain.scopes import is_private
from core.domain.understanding import Intent
from core.ports.bookmarks import Bookmarks


class ProgressCommands:
    """`progress`."""

    def __init__(self, *, threads: ThreadService, marks: Bookmarks) -> None:
        self._threads = threads
        self._marks = marks

    def commands(self) -> list[Command]:
        """Return the command."""
        return [
            Command(
                words="progress",
                takes=Option(name="where", hint="here", is_optional=True),
                help=sentence("show how far you've read; `here` shows it to everyone"),
                intents=frozenset({Intent.PROGRESS}),
                is_said=lambda text: text.strip().lower() in {"", "here"},
                run=self._progress,
            )
        ]

    async def _progress(self, request: CommandRequest) -> CommandResponse:
        """Show the club's page, and in private the asker's own page too.

        Raises:
            PositionError: no page is set, or the text is not `here`.
        """
        wanted = request.text.strip().lower()
        if wanted not in {"", "here"}:
            raise PositionError(say("Use `/progress`, or `/progress here` to show it to everyone."))
        club = await self._threads.club(request.thread, request.member.member_id)
        position, own = club.page_of_all, club.own_page
        if position is None and (own is None or wanted):
            raise PositionError(say(ASK_POSITION))
        chart = _chart(club, None if wanted else own)
        lines = _club_lines(club, chart)
        if wanted:
            return CommandResponse(announcement="\n".join(filter(None, lines)), chart=chart)
        lines += _own_lines(club)
        lines.append(await self._pace(club, request))
        lines.append(_pace_to_goal(club, position if own is None and is_private(request.thread.scope) else own))
        return CommandResponse(text="\n".join(filter(None, lines)), chart=chart)

    async def _pace(self, club: ClubState, request: CommandRequest) -> str:
        """Return how fast the member reads; "" if only the club's page is known, or too few pages."""
        since = club.now - PACE_WINDOW
        if club.own_page is not None:
            said = await self._marks.pages_said(club.reading_id, club.member_id, since=since)
        elif is_private(request.thread.scope):
            said = await self._marks.pages_moved(club.reading_id, since=since)
        else:
            return ""
        return pace_line(pages_a_day(said, now=club.now))


def _chart(club: ClubState, own: Position) -> ProgressChart:
    """Return the chart of what may be shown; the text says the same, and where else in a series the asker is."""
    position = club.page_of_all
    book = club.outline.counted_at(own if position is None else position)
    is_here = own is not None and club.outline.counted_at(own).begin == book.begin
    goal = None if position is None else goal_of(club)
    return ProgressChart(
        last=_mark(book.story_end, book),
        together=None if position is None else _mark(position, book),
        own=_mark(own or 0, book) if is_here else None,
        goal=None if goal is None else _mark(goal.section.last_page, book),
        section=None if goal is None else (goal.section.number, goal.sections),
        # How many members have got there, of those who set a page; None for fewer than four.
        counted=reached(club.standing.members, position) if position else None,
    )


def _own_lines(club: ClubState) -> list[str]:
    """Return the line about the asker's own page, by the book of a series that they are in."""
    own, book = club.own_page, club.outline.counted_at(club.own_page)
    if own is None:
        return []
    chart = ProgressChart(last=_mark(book.story_end, book), together=None)
    return [say("You: {line}", line=_line(_mark(own, book), chart))]


def _club_lines(club: ClubState, chart: ProgressChart) -> list[str]:
    """Return the lines about the club: its page, the next section, and how many have got there."""
    if chart.together is None:
        return []
    goal = goal_of(club)
    counted = "" if chart.counted is None else counted_line(chart.counted, chart.together.name)
    return [_line(chart.together, chart), "" if goal is None else goal.words(club.page_name), counted]


def _pace_to_goal(club: ClubState, position: Position) -> str:
    """Return how many pages a day take a member to the end of the next section."""
    goal = goal_of(club)
    return "" if goal is None or position is None else goal.pace(position, club.now)


def _mark(page: int, book: BookOutline) -> PageMark:
    return PageMark(page=max(page - book.begin, 0), name=page_names(book)(page))


def _line(mark: PageMark, chart: ProgressChart) -> str:
    last = chart.last
    values = {"bar": bar(min(mark.page, last.page), last.page), "page": mark.name, "percent": chart.share(mark)}
    if not mark.page:
        return say("{bar} nothing read yet ({percent} %)", **values)
    if mark.page <= last.page:
        return say("{bar} p. {page} of {last} ({percent} %)", last=last.name, **values)
    return say("{bar} p. {page} ({percent} %)", **values)
