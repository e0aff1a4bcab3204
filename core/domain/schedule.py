"""Sections of a book with dates: like-sized spans that end where chapters do, one due each week at a local time."""

from dataclasses import dataclass
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


def _nearest_end(outline: BookOutline, target: float, *, lowest: int, highest: int, reach: float) -> int:
    """Return the page within bounds that ends nearest to a text offset: a chapter's last one, where one is in reach."""

    def distance(page: int) -> float:
        return abs(outline.end_of(page) - target)

    chapters = {each.last_page for each in outline.chapters if lowest <= each.last_page <= highest}
    near = [page for page in chapters if distance(page) <= reach]
    return min(near or range(lowest, highest + 1), key=lambda page: (distance(page), page))
