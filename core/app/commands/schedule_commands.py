"""`schedule make`: like-sized sections with dates, shown to the organiser first, and to all by a button."""

from typing import Final

from core.app.commands.schedule_forms import parse_plan, plan_of, plan_text
from core.app.commands.values import Choice, Command, CommandRequest, CommandResponse, Who
from core.app.threads import ThreadService
from core.domain.position import page_names
from core.domain.schedule import Plan, sections_of
from core.ports.books import BookRepository
from core.ports.clock import Clock

_POST: Final = ".schedule"


class ScheduleCommands:
    """`schedule make`, and the button that shows it to all."""

    def __init__(self, *, threads: ThreadService, books: BookRepository, clock: Clock) -> None:
        self._threads = threads
        self._books = books
        self._clock = clock

    def commands(self) -> list[Command]:
        """Return the commands, that of the button last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="schedule make",
                takes="6 weeks from 2 March, Sundays 19:00 Europe/Berlin",
                who=organisers,
                help="divide the book into sections with dates",
                run=self._make,
            ),
            Command(words=_POST, takes="", who=organisers, help="", run=self._post),
        ]

    async def _make(self, request: CommandRequest) -> CommandResponse:
        plan = parse_plan(request.text, now=self._clock.now())
        choice = Choice(label="Post it here", command=_POST, text=plan_text(plan))
        return CommandResponse(text=await self._shown(plan, request), choices=(choice,))

    async def _post(self, request: CommandRequest) -> CommandResponse:
        return CommandResponse(announcement=await self._shown(plan_of(request.text), request))

    async def _shown(self, plan: Plan, request: CommandRequest) -> str:
        """Return a line a section: its pages, and when it is due. Chapters have no titles here."""
        owner = await self._threads.owner(request.thread)
        outline = await self._books.outline(owner.book_id)
        name = page_names(outline)
        lines = [
            f"{each.number}. p. {name(each.first_page)} to p. {name(each.last_page)}: by {due:%A, %-d %B %Y, %H:%M}"
            for each, due in zip(sections_of(outline, plan.sections), plan.due(), strict=False)
        ]
        return "\n".join((f"**What we read by when** ({plan.zone}):", *lines))
