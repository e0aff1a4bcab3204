"""`setpage` in a section's thread: that stays at its section's end, so it is asked which page is meant."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from core.app.commands.values import Choice, CommandRequest, CommandResponse
from core.app.schedules import Schedules
from core.domain.errors import PositionError
from core.domain.kept_schedule import DatedSection
from core.domain.reading import PositionOwner

CLUB: Final = ".page-club"
HERE: Final = ".page-here"
UNDO_CLUB: Final = ".undo-club"
ONLY_ME: Final = ".onlyme"
_OF_CLUB: Final = {".leap": ".leap-club", ".undo": UNDO_CLUB}
"""What a button under a move runs, so that it is about the club's page although it stands in a thread."""
_LONGEST: Final = 40

Run = Callable[[CommandRequest], Awaitable[CommandResponse]]


class SectionThreads:
    """Knows the threads that stay at a section's end."""

    def __init__(self, schedules: Schedules) -> None:
        self._schedules = schedules

    async def section(self, owner: PositionOwner, thread: str) -> DatedSection | None:
        """Return the section that a thread was opened for; None for any other thread."""
        kept = await self._schedules.get(owner.reading_id) if thread else None
        return kept.of_thread(thread) if kept is not None else None

    async def of(self, owner: PositionOwner) -> frozenset[str]:
        """Return all those threads of a reading."""
        kept = await self._schedules.get(owner.reading_id)
        return frozenset(section.thread for section in kept.sections) if kept is not None else frozenset()


def which_page(section: DatedSection, name: Callable[[int], str], typed: str) -> CommandResponse:
    """Ask which page is meant. Raises PositionError where what was typed is too long to be one."""
    if len(typed) > _LONGEST:
        raise PositionError("Say how far you have read, such as `/setpage 120`.")
    return CommandResponse(
        text=f"This thread stays at p. {name(section.last_page)}, the end of section {section.number}. "
        "Which page do you mean?",
        choices=(
            Choice(label="The club's page", command=CLUB, text=typed),
            Choice(label="This thread's page", command=HERE, text=typed),
        ),
    )


def for_club(run: Run) -> Run:
    """Return the same for the thread's whole club, with the buttons under it."""

    async def of_club(request: CommandRequest) -> CommandResponse:
        response = await run(replace(request, thread=replace(request.thread, thread="")))
        kept = (each for each in response.choices if each.command != ONLY_ME)
        choices = tuple(replace(each, command=_OF_CLUB.get(each.command, each.command)) for each in kept)
        return replace(response, choices=choices)

    return of_club
