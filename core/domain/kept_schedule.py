"""A schedule that a club keeps: its sections with their days, at one time of a wall clock, and who is reminded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from core.domain.schedule import Plan, Section, local_due

_WEEK = 7


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
