"""Sections of a book with dates, as they are planned and as a club keeps them.

Sections are like-sized spans that end where chapters do, one due each week (or every so many) at a local time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.domain.book import BookOutline

_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """In how many sections a book is read, when the first is due, and every how many weeks another one is.

    The time is that of a wall clock in the zone, in summer and in winter.
    """

    sections: int
    first_due: date
    at: time
    zone: str
    weeks: int = 1

    def due(self) -> list[datetime]:
        """Return when each section is due, in its zone; a time that clocks skip that day is what they show instead."""
        return [local_due(day, self.at, self.zone) for day in self.days()]

    def days(self) -> list[date]:
        """Return the days on which sections are due."""
        return [self.first_due + timedelta(days=_WEEK * self.weeks * number) for number in range(self.sections)]


def local_due(day: date, at: time, zone: str) -> datetime:
    """Return the moment of a wall clock's time on a day, in its zone.

    A time that clocks skip that day is what they show instead; of one that they show twice, it is the first.
    """
    where = ZoneInfo(zone)
    return datetime.combine(day, at, tzinfo=where).astimezone(UTC).astimezone(where)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A span of pages that is read together."""

    number: int
    first_page: int
    last_page: int


def sections_of(outline: BookOutline, count: int) -> list[Section]:
    """Divide a story into so many sections of like length that end where chapters end.

    Where there is no chapter's end left for one, it ends on the page that makes them alike. Fewer come of a story of
    fewer pages.
    """
    first, last = outline.first_story_page, outline.story_end
    count = min(count, last - first + 1)
    begin = outline.end_of(first - 1)
    whole = outline.end_of(last) - begin
    ends = list[int]()
    for number in range(1, count):
        lowest = (ends[-1] if ends else first - 1) + 1
        highest = last - (count - number)
        target = begin + whole * number / count
        ends.append(_nearest_end(outline, target, lowest=lowest, highest=highest, reach=whole / count / 2))
    bounds = [first - 1, *ends, last]
    return [
        Section(number=number, first_page=bounds[number - 1] + 1, last_page=bounds[number])
        for number in range(1, len(bounds))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedSection:
    """A span of pages and the day until which it is read; `thread` is the one that was opened for it, if any."""

    number: int
    first_page: int
    last_page: int
    day: date
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminding:
    """Where it is said that a section is due, the role that is called (empty for none), and who wanted it."""

    thread: str
    role: str = ""
    wanted_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The sections of a reading; days are kept, not moments, so that summer time and new rules for it change nothing.

    `weeks` lie between two dates. Nobody is reminded where `reminding` is None.
    """

    at: time
    zone: str
    weeks: int
    sections: tuple[DatedSection, ...]
    reminding: Reminding | None = None

    def due(self, section: DatedSection) -> datetime:
        """Return when a section is due, in UTC."""
        return local_due(section.day, self.at, self.zone).astimezone(UTC)

    def coming(self, now: datetime) -> tuple[DatedSection, ...]:
        """Return the sections that are not due yet."""
        return tuple(section for section in self.sections if self.due(section) > now)

    def section(self, number: int) -> DatedSection | None:
        """Return a section by its number."""
        return next((section for section in self.sections if section.number == number), None)

    def of_thread(self, thread: str) -> DatedSection | None:
        """Return the section that a thread was opened for."""
        return next((section for section in self.sections if thread and section.thread == thread), None)

    def shifted(self, days: int, now: datetime) -> "Schedule":
        """Return the same with the days of all coming sections moved; those that are past stay.

        Raises OverflowError where there is no such day.
        """
        coming = self.coming(now)
        moved = (
            replace(section, day=section.day + timedelta(days=days)) if section in coming else section
            for section in self.sections
        )
        return replace(self, sections=tuple(moved))

    def skipping(self, now: datetime) -> "Schedule":
        """Return the same without the next date: each coming section has the one after its own."""
        return self.shifted(_WEEK * self.weeks, now)

    def with_thread(self, number: int, thread: str) -> "Schedule":
        """Return the same with a thread that was opened for a section."""
        return replace(
            self,
            sections=tuple(
                replace(section, thread=thread) if section.number == number else section for section in self.sections
            ),
        )


def schedule_of(plan: Plan, sections: Sequence[Section]) -> Schedule:
    """Return what is kept of a plan for these sections; where these are fewer, the last dates are not needed."""
    return Schedule(
        at=plan.at,
        zone=plan.zone,
        weeks=plan.weeks,
        sections=tuple(
            DatedSection(number=each.number, first_page=each.first_page, last_page=each.last_page, day=day)
            for each, day in zip(sections, plan.days(), strict=False)
        ),
    )


def _nearest_end(outline: BookOutline, target: float, *, lowest: int, highest: int, reach: float) -> int:
    """Return the page within bounds that ends nearest to a text offset: a chapter's last one, where one is in reach."""

    def distance(page: int) -> float:
        return abs(outline.end_of(page) - target)

    chapters = {each.last_page for each in outline.chapters if lowest <= each.last_page <= highest}
    near = [page for page in chapters if distance(page) <= reach]
    return min(near or range(lowest, highest + 1), key=lambda page: (distance(page), page))
