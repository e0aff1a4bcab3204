"""A club's schedule: loading it, saving it, and putting it into words. Its reminders follow each change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from core.catalogue.sentences import say, say_count, sentence
from core.domain.club_state import ClubState
from core.domain.errors import ThusfarError
from core.domain.moments import marked
from core.domain.schedule import DatedSection, Schedule
from core.domain.thread import Thread
from core.domain.timer import Timer
from core.ports.clock import Clock
from core.ports.schedules import ScheduleRepository
from core.ports.timers import TimerTable

REMINDER: Final = "section"
"""The kind of the timers that say a section is due."""
LATE: Final = timedelta(hours=12)
NO_SCHEDULE: Final = sentence("There's no schedule yet. `/schedule make` proposes one.")

HEAD = sentence("**What we read by when:**")
_LINE = sentence("{number}. {pages}: by {when}")
_NEXT_LINE = sentence("{number}. {pages}: by {when} (**next**)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The next section, the number of sections, and when it is due (UTC)."""

    section: DatedSection
    sections: int
    due: datetime

    def words(self, name: Callable[[int], str]) -> str:
        """Return it as `/progress` shows it."""
        return say(
            "Section {number} of {sections}; goal p. {page} by {when}",
            number=self.section.number,
            sections=self.sections,
            page=name(self.section.last_page),
            when=marked(self.due),
        )

    def pace(self, position: int, now: datetime) -> str:
        """Return how many pages a day it takes from a page; "" if nothing is left to read.

        With less than a day left it is "" too, so that no one feels rushed.
        """
        pages, days = self.section.last_page - position, (self.due - now) / timedelta(days=1)
        if pages <= 0 or days < 1:
            return ""
        return say_count(
            "To get there in time: about a page a day.",
            "To get there in time: about {number} pages a day.",
            ceil(pages / days),
        )


class Schedules:
    """Stores schedules, and the timers of their reminders."""

    def __init__(self, *, schedules: ScheduleRepository, timers: TimerTable, clock: Clock) -> None:
        self._schedules = schedules
        self._timers = timers
        self._clock = clock

    def now(self) -> datetime:
        """Return the time now."""
        return self._clock.now()

    async def get(self, reading_id: str) -> Schedule | None:
        """Return the schedule of a reading, or None."""
        return await self._schedules.get(reading_id)

    async def keep(self, thread: Thread, reading_id: str, schedule: Schedule) -> None:
        """Save a schedule, and set the timers for its coming sections if reminders are on."""
        await self._schedules.keep(reading_id, schedule)
        await self._set_timers(thread, reading_id, schedule)

    async def reset_timers(self, thread: Thread, reading_id: str) -> Schedule | None:
        """Set the timers again after a linked club changed the schedule; return the schedule."""
        kept = await self._schedules.get(reading_id)
        await self._set_timers(thread, reading_id, kept)
        return kept

    async def _set_timers(self, thread: Thread, reading_id: str, schedule: Schedule | None) -> None:
        await self._cancel_timers(thread, reading_id)
        if schedule is None or schedule.reminding is None:
            return
        place = Thread(scope=thread.scope, place=thread.place, thread=schedule.reminding.thread)
        for section in schedule.coming(self._clock.now()):
            await self._timers.keep(
                Timer(
                    kind=REMINDER,
                    name=f"{reading_id}:{section.number}",
                    thread=place,
                    due=schedule.due(section),
                    late=LATE,
                    reading_id=reading_id,
                    payload={"section": str(section.number)},
                )
            )

    async def drop(self, thread: Thread, reading_id: str) -> None:
        """Delete the schedule and its timers."""
        await self._schedules.drop(reading_id)
        await self._cancel_timers(thread, reading_id)

    async def set_thread(self, club: ClubState, number: int, thread: str) -> None:
        """Save the thread that was opened for a section."""
        await self._schedules.keep(club.reading_id, needed(club).with_thread(number, thread))

    async def _cancel_timers(self, thread: Thread, reading_id: str) -> None:
        """Cancel the timers of this reading; other books of the club keep theirs."""
        for timer in await self._timers.waiting(thread=thread, kind=REMINDER):
            if timer.reading_id == reading_id:
                await self._timers.cancel(thread=thread, kind=REMINDER, name=timer.name)


def needed(club: ClubState) -> Schedule:
    """Return a club's schedule. Raises ThusfarError if it has none."""
    if club.schedule is None:
        raise ThusfarError(say(NO_SCHEDULE))
    return club.schedule


def goal_of(club: ClubState) -> Goal | None:
    """Return the club's next goal; None without a schedule, or after its last date."""
    kept = club.schedule
    coming = kept.coming(club.now) if kept is not None else ()
    if kept is None or not coming:
        return None
    return Goal(section=coming[0], sections=len(kept.sections), due=kept.due(coming[0]))


def span(section: DatedSection, name: Callable[[int], str]) -> str:
    """Return the pages of a section, without chapter titles."""
    first, last = name(section.first_page), name(section.last_page)
    return say("p. {page}", page=first) if first == last else say("p. {first} to p. {last}", first=first, last=last)


def lines(schedule: Schedule, name: Callable[[int], str], *, now: datetime | None = None) -> Sequence[str]:
    """Return a line for each section; with `now`, the next one is marked."""
    coming = schedule.coming(now)[:1] if now is not None else ()
    return [
        say(
            _NEXT_LINE if each in coming else _LINE,
            number=each.number,
            pages=span(each, name),
            when=marked(schedule.due(each)),
        )
        for each in schedule.sections
    ]


def kept_at(schedule: Schedule) -> str:
    """Return the sentence about the time of day and the time zone."""
    return say("The dates are at {time:%H:%M} in {zone}, summer and winter.", time=schedule.at, zone=schedule.zone)


def next_one(schedule: Schedule, name: Callable[[int], str], now: datetime) -> str:
    """Return the sentence about the next section; "" after the last date."""
    coming = schedule.coming(now)
    if not coming:
        return ""
    return say(
        "Next is section {number}, {pages}, by {when}.",
        number=coming[0].number,
        pages=span(coming[0], name),
        when=marked(schedule.due(coming[0])),
    )
