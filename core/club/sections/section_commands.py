"""`section open`, and the buttons under a reminder: threads that stay at a section's end, and pages moved on demand."""

from typing import Final

from core.answering.positions import PositionService
from core.answering.threads import ThreadService, in_a_name
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
from core.club.position.asked_back import UNDO_CLUB
from core.club.position.move_effects import MoveEffects
from core.club.schedule.schedules import Schedules, span
from core.domain.book import BookOutline
from core.domain.errors import PositionError, ThusfarError
from core.domain.numbers import printed_chapter_number
from core.domain.position import page_names
from core.domain.reading import PositionOwner
from core.domain.schedule import DatedSection, Schedule
from core.domain.scopes import is_private
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository

ALL_READ: Final = ".all-read"
"""The button by which an organiser says that everybody has read a section."""
I_READ: Final = ".i-read"
"""The one by which a member says so of themselves."""
_BEGIN: Final = ".section-begin"
_ALONE: Final = "Only clubs have threads for sections. You're alone with me here."
_ANOTHER_BOOK: Final = "The club is reading another book now. Nothing has changed."


_GROUP: Final = CommandGroup(name="section", help="threads for the sections of the book")


class SectionCommands:
    """Threads for sections, and how far a section moves a page."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        positions: PositionService,
        clubs: ClubRepository,
        books: BookRepository,
        schedules: Schedules,
        move_effects: MoveEffects,
    ) -> None:
        self._move_effects = move_effects
        self._threads = threads
        self._positions = positions
        self._clubs = clubs
        self._books = books
        self._schedules = schedules

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="section open",
                takes=Option(name="number", hint="2", is_optional=True),
                who=organisers,
                help="open a thread that stays at a section's end",
                group=_GROUP,
                is_said=lambda text: not text.strip() or text.strip().isdecimal(),
                run=self._open,
            ),
            Command(words=_BEGIN, who=organisers, run=self._begin),
            Command(words=ALL_READ, who=organisers, run=self._all_read),
            Command(words=I_READ, stays=True, run=self._i_read),
        ]

    async def _open(self, request: CommandRequest) -> CommandResponse:
        """Open the thread of a section, the next one's without a number; one that is open already is pointed at."""
        if is_private(request.thread.scope):
            raise ThusfarError(_ALONE)
        owner = await self._threads.owner(request.thread)
        kept = await self._schedules.needed(owner.reading_id)
        section = self._wanted(kept, request.text.strip())
        outline, book = await self._books.outline(owner.book_id), await self._books.get(owner.book_id)
        name = page_names(outline)
        if section.thread:
            told = f"Section {section.number} ({span(section, name)}) already has a thread:"
            return CommandResponse(announcement=told, names=(section.thread,))
        last = name(section.last_page)
        return CommandResponse(
            opens=f"{in_a_name(book.title)}: section {section.number}{_chapters(section, outline)}",
            announcement=f"**Section {section.number}**, {span(section, name)}: for anyone who has read to p. {last}.",
            begins=Choice(label="", command=_BEGIN, text=f"{owner.reading_id}{SEPARATOR}{section.number}"),
        )

    async def _begin(self, request: CommandRequest) -> CommandResponse:
        """Put the thread that was opened at its section's end, for good."""
        owner, number = await self._still_read(request)
        kept = await self._schedules.needed(owner.reading_id)
        section = self._wanted(kept, str(number))
        outline = await self._books.outline(owner.book_id)
        await self._positions.move(owner, section.last_page, outline=outline, member=request.member)
        await self._schedules.set_thread(owner.reading_id, number, request.thread.thread)
        last = page_names(outline)(section.last_page)
        return CommandResponse(
            announcement=(
                f"Please talk here only about pages up to {last}. This thread stays there, wherever the club "
                "is: anyone can read it safely later, and I answer from those pages only."
            )
        )

    async def _all_read(self, request: CommandRequest) -> CommandResponse:
        """Move the club's page on to a section's end; it never goes back by this."""
        of_club = not is_private(request.thread.scope)
        owner, page = await self._still_read(request, of_club=of_club)
        outline = await self._books.outline(owner.book_id)
        current = await self._positions.set_position(owner)
        if current is not None and current >= page:
            raise PositionError(f"The page is already at p. {page_names(outline)(current)}. Nothing has changed.")
        moved = await self._positions.move(owner, page, outline=outline, member=request.member)
        opened = await self._move_effects.at(owner, request.thread)
        undo = Choice(label="Undo", command=UNDO_CLUB if of_club else ".undo", text=str(moved.change_id))
        return CommandResponse(announcement=moved.announcement + opened.told, choices=(undo, *opened.choices))

    async def _i_read(self, request: CommandRequest) -> CommandResponse:
        """Move the presser's own page on to a section's end; it never goes back by this."""
        owner, page = await self._still_read(request)
        member_id = request.member.member_id
        current = await self._clubs.member_position(owner.reading_id, member_id)
        if current is None or current < page:
            await self._clubs.set_member_position(owner.reading_id, member_id, page)
            await self._move_effects.for_one(owner, request.thread)
            current = page
        shown = await self._positions.private_footer(owner, current, member_id)
        return CommandResponse(text=f"Your own page is set: {shown}. Only you see this.")

    async def _still_read(self, request: CommandRequest, *, of_club: bool = False) -> tuple[PositionOwner, int]:
        """Return what a button is about, the thread's or its whole club's, and its number.

        Raises:
            PositionError: the club reads another book by now.
        """
        reading_id, _, number = request.text.rpartition(SEPARATOR)
        reading = await self._threads.reading(request.thread)
        if reading is None or reading.reading_id != reading_id:
            raise PositionError(_ANOTHER_BOOK)
        return (reading if of_club else await self._threads.owner(request.thread)), int(number)

    def _wanted(self, kept: Schedule, text: str) -> DatedSection:
        """Return the section of a number; without one the next that comes, the last where all are over."""
        if not text:
            return (*kept.coming(self._schedules.now()), kept.sections[-1])[0]
        section = kept.section(int(text)) if text.isdecimal() else None
        if section is None:
            raise PositionError(f"There are sections 1 to {len(kept.sections)}. Use `/section open 2`.")
        return section


def _chapters(section: DatedSection, outline: BookOutline) -> str:
    """Return the chapters of a section as they stand in its thread's name; empty for a book without any."""
    numbers = [
        printed_chapter_number(chapter.title) or chapter.number
        for chapter in outline.chapters
        if chapter.first_page <= section.last_page and chapter.last_page >= section.first_page
    ]
    if not numbers:
        return ""
    first, last = numbers[0], numbers[-1]
    return f", chapter {first}" if first == last else f", chapters {first}-{last}"
