"""The kinds of timers: section reminders, the weekly quote, saved questions."""

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
from core.ports.books import BookTexts
from core.ports.later_questions import LaterQuestions
from core.ports.readings import ReadingRepository
from core.ports.schedules import ScheduleRepository
from core.ports.sealed_items import SealedItemRepository


class SectionReminders(TimerKind):
    """Reminds of a due section, unless the schedule or the book has changed since."""

    name = REMINDER

    def __init__(self, *, schedules: ScheduleRepository, readings: ReadingRepository, books: BookTexts) -> None:
        self._schedules = schedules
        self._readings = readings
        self._books = books

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the reminder, with buttons to move the page."""
        kept, section = await self._current_section(timer)
        if kept is None or section is None or kept.reminding is None or timer.reading_id is None:
            return ()
        book_id = (await self._readings.get(timer.reading_id)).book_id
        name = page_names(await self._books.outline(book_id))
        last = name(section.last_page)
        is_alone = is_private(timer.thread.scope)
        text = sentence(
            "It's time for **section {number}**: {pages}. Has everyone read to p. {last}? I never move the page myself."
        )
        if is_alone:
            text = sentence(
                "It's time for **section {number}**: {pages}. Have you read to p. {last}? I never move the page myself."
            )
        answer = f"{timer.reading_id}{SEPARATOR}{section.last_page}"
        label = say("Yes, to p. {page}", page=last) if is_alone else say("All read to p. {page}", page=last)
        offered = [Choice(label=label, command=ALL_READ, text=answer)]
        if not is_alone:
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
        """Return the notice to the organiser who set the reminders."""
        kept, section = await self._current_section(timer)
        if kept is None or section is None or kept.reminding is None or not kept.reminding.wanted_by:
            return ()
        text = say(
            "I was away when section {number} was due ({when}), and it's too late now, so I didn't remind anyone. "
            "`/schedule show` shows what comes next.",
            number=section.number,
            when=marked(timer.due),
        )
        return [DueMessage(thread=timer.thread, text=text, member_id=kept.reminding.wanted_by)]

    async def _current_section(self, timer: Timer) -> tuple[Schedule | None, DatedSection | None]:
        """Return the timer's schedule and section, if they have not changed since."""
        reading = await self._readings.current(scope=timer.thread.scope, place=timer.thread.place)
        if reading is None or reading.reading_id != timer.reading_id:
            return None, None
        kept = await self._schedules.get(reading.reading_id)
        section = kept.section(int(timer.payload["section"])) if kept is not None else None
        if kept is None or section is None or kept.due(section) != timer.due:
            return None, None
        return kept, section


class WeeklyQuoteKind(TimerKind):
    """Posts a quote up to the thread's page that has not been posted before, if there is one."""

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
        """Return the week's quote, the same on a retry, while its book is read; first set the next timer."""
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
        """Return nothing: the next quote comes next week."""
        await self._weekly.keep_next(timer)
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterKind(TimerKind):
    """Brings a saved question back to its member."""

    questions: LaterQuestions
    readings: ReadingRepository
    books: BookTexts
    name: str = LATER_KIND

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the question with its buttons; nothing if it has been asked or deleted."""
        question = await self.questions.get(int(timer.payload[LATER_ID]))
        if question is None:
            return ()
        reading = await self.readings.get(question.reading_id)
        kept = told_of(question, page_names(await self.books.outline(reading.book_id)))
        text = say("{question} The club has read more since then.", question=kept)
        return (DueMessage(thread=timer.thread, text=text, member_id=question.member_id, choices=choices_of(question)),)

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return nothing: the question stays saved, and comes back at a later page."""
        return ()
