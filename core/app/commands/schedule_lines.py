"""A schedule in words: a line a section, its dates as moments that everybody sees in their own time."""

from collections.abc import Callable, Sequence
from datetime import datetime

from core.domain.kept_schedule import DatedSection, Schedule
from core.domain.moments import marked

HEAD = "**What we read by when:**"


def span(section: DatedSection, name: Callable[[int], str]) -> str:
    """Return the pages of a section; a chapter has no title here."""
    first, last = name(section.first_page), name(section.last_page)
    return f"p. {first}" if first == last else f"p. {first} to p. {last}"


def lines(schedule: Schedule, name: Callable[[int], str], *, now: datetime | None = None) -> Sequence[str]:
    """Return a line a section; with `now` the one that comes next is pointed out."""
    coming = schedule.coming(now)[:1] if now is not None else ()
    return [
        f"{each.number}. {span(each, name)}: by {marked(schedule.due(each))}{' (**next**)' if each in coming else ''}"
        for each in schedule.sections
    ]


def kept_at(schedule: Schedule) -> str:
    """Return the sentence that says by which clock the dates are kept."""
    return f"The dates keep to {schedule.at:%H:%M} in {schedule.zone}, summer and winter."


def next_one(schedule: Schedule, name: Callable[[int], str], now: datetime) -> str:
    """Return which section comes next, and when; empty after the last date."""
    coming = schedule.coming(now)
    if not coming:
        return ""
    return f"Next is section {coming[0].number}, {span(coming[0], name)}, by {marked(schedule.due(coming[0]))}."
