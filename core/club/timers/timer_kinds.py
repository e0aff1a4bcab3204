"""What is said when something falls due: a section of the schedule, a question that is kept, a line of the week."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import SEPARATOR, Choice
from core.club.later.later import choices_of, told_of
from core.club.schedule.schedules import REMINDER, span
from core.club.sealed.weekly_quotes import WEEKLY_QUOTE, WeeklyQuotes, quote_line
from core.club.sections.section_commands import ALL_READ, I_READ
from core.club.timers.due import DueMessage, TimerKind
from core.domain.later import LATER_ID, LATER_KIND
from core.domain.moments import marked
from core.domain.position import page_names
from core.domain.schedule import DatedSection, Schedule
from core.domain.scopes import is_private
from core.domain.timer import Timer
from core.ports.books import BookRepository
from core.ports.later_questions import LaterQuestions
from core.ports.readings import ReadingRepository
from core.ports.schedules import ScheduleRepository
from core.ports.sealed_items import SealedItemRepository


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
        text = sentence(
            "It's time for **section {number}**: {pages}. Has everyone read to p. {last}? I never move the page myself."
        )
        if alone:
            text = sentence(
                "It's time for **section {number}**: {pages}. Have you read to p. {last}? I never move the page myself."
            )
        answer = f"{timer.reading_id}{SEPARATOR}{section.last_page}"
        label = say("Yes, to p. {page}", page=last) if alone else say("All read to p. {page}", page=last)
        offered = [Choice(label=label, command=ALL_READ, text=answer)]
        if not alone:
            offered.append(Choice(label=say("I have read to p. {page}", page=last), command=I_READ, text=answer))
        return [
            DueMessage(
                thread=timer.thread,
                text=say(text, number=section.number, pages=span(section, name), last=last),
                choices=tuple(offered),
                role=kept.reminding.role,
            )
        ]

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return what the organiser is told who wanted it."""
        kept, section = await self._meant(timer)
        if kept is None or section is None or kept.reminding is None or not kept.reminding.wanted_by:
            return ()
        text = say(
            "I was away when section {number} was due ({when}), and it's too late now, so I didn't remind anyone. "
            "`/schedule show` shows what comes next.",
            number=section.number,
            when=marked(timer.due),
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


class WeeklyQuoteKind(TimerKind):
    """Shows one quote up to the thread's page that no week has shown; where there is none, it says nothing."""

    name = WEEKLY_QUOTE

    def __init__(
        self,
        weekly: WeeklyQuotes,
        *,
        threads: ThreadService,
        sealed_items: SealedItemRepository,
    ) -> None:
        self._weekly = weekly
        self._threads = threads
        self._sealed_items = sealed_items

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the week's quote, the same if asked again, while its book is read; the next timer is kept first."""
        await self._weekly.keep_next(timer)
        read_now = await self._threads.reading(replace(timer.thread, thread=""))
        club = await self._threads.club(timer.thread) if read_now is not None else None
        if read_now is None or club is None or club.reading_id != read_now.reading_id:
            return ()
        chosen = await self._sealed_items.of_week(club.reading_id, timer.name, reached=club.page_of_all or 0)
        if chosen is None:
            return ()
        line = quote_line(chosen, club.page_name, scope=timer.thread.scope)
        return [DueMessage(thread=timer.thread, text=say("**A line from the pages you've read:**\n{line}", line=line))]

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Say nothing: the next one comes in its week."""
        await self._weekly.keep_next(timer)
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterKind(TimerKind):
    """Brings a question back to whoever kept it, where they keep it still."""

    questions: LaterQuestions
    readings: ReadingRepository
    books: BookRepository
    name: str = LATER_KIND

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the question with what can be done about it; nothing where it was asked or dropped meanwhile."""
        question = await self.questions.get(int(timer.payload[LATER_ID]))
        if question is None:
            return ()
        reading = await self.readings.get(question.reading_id)
        told = told_of(question, page_names(await self.books.outline(reading.book_id)))
        text = say("{question} The club has read more since then.", question=told)
        return (DueMessage(thread=timer.thread, text=text, member_id=question.member_id, choices=choices_of(question)),)

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Say nothing: it is kept still, and comes back at the next page at which it would."""
        return ()
