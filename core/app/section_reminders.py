"""What is said when a section is due, where an organiser wanted that: to all, once, and nothing moves by it."""

from collections.abc import Sequence

from core.app.commands.schedule_lines import span
from core.app.commands.section_commands import ALL_READ, I_READ
from core.app.commands.values import SEPARATOR, Choice
from core.app.due import DueMessage, TimerKind
from core.app.schedules import REMINDER
from core.domain.kept_schedule import DatedSection, Schedule
from core.domain.moments import marked
from core.domain.position import page_names
from core.domain.scope import is_private
from core.domain.timer import Timer
from core.ports.books import BookRepository
from core.ports.readings import ReadingRepository
from core.ports.schedules import ScheduleRepository


class SectionReminders(TimerKind):
    """Says that a section is due; where the schedule or the book has changed since, it says nothing."""

    name = REMINDER

    def __init__(self, *, schedules: ScheduleRepository, readings: ReadingRepository, books: BookRepository) -> None:
        self._schedules = schedules
        self._readings = readings
        self._books = books

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the reminder, with the offer to say how far is read."""
        kept, section = await self._meant(timer)
        if kept is None or section is None or kept.reminding is None or timer.reading_id is None:
            return ()
        book_id = (await self._readings.get(timer.reading_id)).book_id
        name = page_names(await self._books.outline(book_id))
        last = name(section.last_page)
        alone = is_private(timer.thread.scope)
        text = f"It is time for **section {section.number}**: {span(section, name)}."
        asked = f"Have you read to p. {last}?" if alone else f"Have all of you read to p. {last}?"
        answer = f"{timer.reading_id}{SEPARATOR}{section.last_page}"
        offered = [Choice(label=f"{'Yes, ' if alone else 'All read '}to p. {last}", command=ALL_READ, text=answer)]
        if not alone:
            offered.append(Choice(label=f"I have read to p. {last}", command=I_READ, text=answer))
        return [
            DueMessage(
                thread=timer.thread,
                text=f"{text} {asked} I move no page by myself.",
                choices=tuple(offered),
                role=kept.reminding.role,
            )
        ]

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return what the organiser is told who wanted it."""
        kept, section = await self._meant(timer)
        if kept is None or section is None or kept.reminding is None or not kept.reminding.wanted_by:
            return ()
        text = (
            f"I was away when section {section.number} was due ({marked(timer.due)}), and by now it is too late: I "
            "reminded nobody of it. `/schedule show` shows what comes next."
        )
        return [DueMessage(thread=timer.thread, text=text, member_id=kept.reminding.wanted_by)]

    async def _meant(self, timer: Timer) -> tuple[Schedule | None, DatedSection | None]:
        """Return the schedule and the section that a timer was set for, as far as they are still so."""
        reading = await self._readings.current(scope=timer.thread.scope, place=timer.thread.place)
        if reading is None or reading.reading_id != timer.reading_id:
            return None, None
        kept = await self._schedules.get(reading.reading_id)
        section = kept.section(int(timer.payload["section"])) if kept is not None else None
        if kept is None or section is None or kept.due(section) != timer.due:
            return None, None
        return kept, section
