"""`section open`, and the buttons under a reminder: threads that stay at a section's end, and moving pages there."""

from dataclasses import replace
from typing import Final

from core.answering.positions import PositionService
from core.answering.threads import ThreadService, in_a_name
from core.catalogue.sentences import say, sentence
from core.club.commands.values import (
    SEPARATOR,
    Choice,
    Command,
    CommandGroup,
    CommandRequest,
    CommandResponse,
    Option,
    Who,
)
from core.club.position.asked_back import UNDO_CLUB, under_move
from core.club.position.move_effects import opened_by
from core.club.schedule.schedules import Schedules, needed, span
from core.domain.book import BookOutline
from core.domain.book_places import shown_number
from core.domain.club_state import ClubState
from core.domain.errors import PositionError, ThusfarError
from core.domain.schedule import DatedSection
from core.domain.scopes import is_private

ALL_READ: Final = ".all-read"
"""The button with which an organiser confirms that everyone has read a section."""
I_READ: Final = ".i-read"
"""The button with which a member confirms it for themselves."""
_BEGIN: Final = ".section-begin"
_ALONE: Final = sentence("Only clubs have threads for sections. You're alone with me here.")
_ANOTHER_BOOK: Final = sentence("The club is reading another book now. Nothing has changed.")


_GROUP: Final = CommandGroup(name="section", help=sentence("threads for the sections of the book"))


class SectionCommands:
    """Threads for sections, and the buttons that move a page to a section's end."""

    def __init__(self, *, threads: ThreadService, positions: PositionService, schedules: Schedules) -> None:
        self._threads = threads
        self._positions = positions
        self._schedules = schedules

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="section open",
                takes=Option(name="number", hint="2", is_optional=True),
                who=organisers,
                help=sentence("open a thread that stays at a section's end"),
                group=_GROUP,
                is_said=lambda text: not text.strip() or text.strip().isdecimal(),
                run=self._open,
            ),
            Command(words=_BEGIN, who=organisers, run=self._begin),
            Command(words=ALL_READ, who=organisers, run=self._all_read),
            Command(words=I_READ, stays=True, run=self._i_read),
        ]

    async def _open(self, request: CommandRequest) -> CommandResponse:
        """Open a section's thread, by default the next section's; if it exists, point to it."""
        if is_private(request.thread.scope):
            raise ThusfarError(say(_ALONE))
        club = await self._threads.club(request.thread, request.member.member_id)
        section = _wanted(club, request.text.strip())
        name = club.page_name
        if section.thread:
            pointer = say(
                "Section {number} ({pages}) already has a thread:", number=section.number, pages=span(section, name)
            )
            return CommandResponse(announcement=pointer, names=(section.thread,))
        title = in_a_name(club.book.title)
        chapters = _chapters(section, club.outline)
        return CommandResponse(
            opens=say("{title}: section {number}{chapters}", title=title, number=section.number, chapters=chapters),
            announcement=say(
                "**Section {number}**, {pages}: for anyone who has read to p. {last}.",
                number=section.number,
                pages=span(section, name),
                last=name(section.last_page),
            ),
            begins=Choice(label="", command=_BEGIN, text=f"{club.reading_id}{SEPARATOR}{section.number}"),
        )

    async def _begin(self, request: CommandRequest) -> CommandResponse:
        """Set the new thread's page to its section's end, where it stays."""
        club, number = await self._still_read(request)
        section = _wanted(club, str(number))
        await self._positions.move(club, section.last_page, member=request.member)
        await self._schedules.set_thread(club, number, request.thread.thread)
        last = club.page_name(section.last_page)
        return CommandResponse(
            announcement=say(
                "Please talk here only about pages up to {last}. This thread stays there, wherever the club is: anyone "
                "can read it safely later, and I answer from those pages only.",
                last=last,
            )
        )

    async def _all_read(self, request: CommandRequest) -> CommandResponse:
        """Move the club's page forward to a section's end, never back."""
        of_club = not is_private(request.thread.scope)
        club, page = await self._still_read(request, of_club=of_club)
        current = club.standing.set_for_all
        if current is not None and current >= page:
            raise PositionError(
                say("The page is already at p. {page}. Nothing has changed.", page=club.page_name(current))
            )
        moved = await self._positions.move(club, page, member=request.member, told_in=request.thread)
        opened = opened_by(club, moved, request.thread)
        undo = under_move(moved, request)[:1]
        if of_club:
            undo = tuple(replace(each, command=UNDO_CLUB) for each in undo)
        return CommandResponse(announcement=moved.announcement + opened.told, choices=(*undo, *opened.choices))

    async def _i_read(self, request: CommandRequest) -> CommandResponse:
        """Move the presser's own page forward to a section's end, never back."""
        club, page = await self._still_read(request)
        current = club.own_page
        if current is None or current < page:
            await self._positions.move_member(club, page, told_in=request.thread)
            current = page
        return CommandResponse(
            text=say("Your own page is set: {page}. Only you see this.", page=club.private_footer(current))
        )

    async def _still_read(self, request: CommandRequest, *, of_club: bool = False) -> tuple[ClubState, int]:
        """Return the state of the thread, or with `of_club` of the whole club, and the number in a button.

        Raises:
            PositionError: the club reads another book now.
        """
        reading_id, _, number = request.text.rpartition(SEPARATOR)
        club = await self._threads.club(request.thread, request.member.member_id, of_club=of_club)
        if club.reading_id != reading_id:
            raise PositionError(say(_ANOTHER_BOOK))
        return club, int(number)


def _wanted(club: ClubState, text: str) -> DatedSection:
    """Return a section by its number; without one, the next section, or the last if all dates have passed."""
    kept = needed(club)
    if not text:
        return (*kept.coming(club.now), kept.sections[-1])[0]
    section = kept.section(int(text)) if text.isdecimal() else None
    if section is None:
        raise PositionError(say("There are sections 1 to {last}. Use `/section open 2`.", last=len(kept.sections)))
    return section


def _chapters(section: DatedSection, outline: BookOutline) -> str:
    """Return the chapters of a section for its thread's name; "" for a book without chapters."""
    numbers = [
        shown_number(chapter)
        for chapter in outline.chapters
        if chapter.first_page <= section.last_page and chapter.last_page >= section.first_page
    ]
    if not numbers:
        return ""
    first, last = numbers[0], numbers[-1]
    if first == last:
        return say(", chapter {number}", number=first)
    return say(", chapters {first}-{last}", first=first, last=last)
