"""The progress of a club, as a line and for a picture, and a member's reading pace.

A member's own figures are shown only to the member; others see the club as a whole.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from core.catalogue.sentences import say, say_count
from core.domain.position import MemberPosition, Position

_PARTS: Final = 10
_WHOLE: Final = 100
_ENOUGH: Final = 4
"""The least number of members with an own page for counts: with fewer, one could guess who it is."""

PACE_WINDOW: Final = timedelta(days=7)
"""The time over which the reading pace is measured."""
_LEAST: Final = timedelta(days=1)
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMark:
    """A page as it is counted, and as people see it."""

    page: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressChart:
    """What a picture beside the line shows, and no more than stands there.

    Attributes:
        last: the story's last page.
        together: where all are who read here; None where nobody has said a page.
        own: where the asker is, for their eyes alone.
        goal: the last page of the section whose date comes next.
        section: its number, and how many there are.
        counted: how many have reached the page of all, of how many.
    """

    last: PageMark
    together: PageMark | None
    own: PageMark | None = None
    goal: PageMark | None = None
    section: tuple[int, int] | None = None
    counted: tuple[int, int] | None = None

    @property
    def description(self) -> str:
        """The alternative text of the picture."""
        told = [
            say_count(
                "A bar for the {number} page of the book.", "A bar for the {number} pages of the book.", self.last.page
            )
        ]
        if self.together is not None:
            told.append(say("Read: {read}.", read=self._told(self.together)))
        if self.own is not None:
            told.append(say("You: {read}.", read=self._told(self.own)))
        if self.section is not None and self.goal is not None:
            number, sections = self.section
            told.append(
                say(
                    "Section {number} of {sections}, whose goal is p. {page}.",
                    number=number,
                    sections=sections,
                    page=self.goal.name,
                )
            )
        if self.counted is not None and self.together is not None:
            told.append(counted_line(self.counted, self.together.name))
        return " ".join(told)

    def share(self, mark: PageMark) -> int:
        """Return how much of the story is read at a page, in percent; all of it behind its end."""
        return percent(min(mark.page, self.last.page), self.last.page)

    def _told(self, mark: PageMark) -> str:
        if not mark.page:
            return say("nothing yet")
        return say("up to p. {page} ({percent} %)", page=mark.name, percent=self.share(mark))


def bar(position: int, pages: int) -> str:
    """Return a share of a book as a bar of ten parts; a part is full once all of it is read."""
    full = _PARTS * position // max(pages, 1)
    return "▓" * full + "░" * (_PARTS - full)


def percent(position: int, pages: int) -> int:
    """Return a share of a book in percent, rounded down."""
    return _WHOLE * position // max(pages, 1)


def progress_bar(position: Position, pages: int) -> str:
    """Return a bar with its share, for one place or one reader: `▓▓▓▓░░░░░░ 45 %`."""
    read = min(position or 0, pages)
    return say("{bar} {percent} %", bar=bar(read, pages), percent=percent(read, pages))


def reached(members: Iterable[MemberPosition], position: int) -> tuple[int, int] | None:
    """Return how many members with an own page have reached a position, and how many there are; None for too few."""
    own = [member.position for member in members if member.position is not None]
    return (sum(page >= position for page in own), len(own)) if len(own) >= _ENOUGH else None


def counted_line(counted: tuple[int, int], page: str) -> str:
    """Return the sentence with how many members have reached a page."""
    some, all_of_them = counted
    return say("{number} of {members} have reached p. {page}.", number=some, members=all_of_them, page=page)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSaid:
    """A page that somebody said they had read, and when."""

    page: int
    at: datetime


def pages_a_day(said: Sequence[PageSaid], *, now: datetime) -> float | None:
    """Return how many pages a day were read in the last week; None where that cannot be told yet, or none were.

    `said` is oldest first, and may begin before the week. Less than a day of it tells nothing.
    """
    before = [each for each in said if each.at <= now - PACE_WINDOW]
    counted = [*before[-1:], *(each for each in said if each.at > now - PACE_WINDOW)]
    if not counted:
        return None
    passed = min(now - counted[0].at, PACE_WINDOW)
    read = counted[-1].page - counted[0].page
    if passed < _LEAST or read <= 0:
        return None
    return read / (passed / timedelta(days=1))


def pace_line(pages: float | None) -> str:
    """Return the sentence with a member's reading pace; empty if it is not known."""
    if pages is None:
        return ""
    if pages < _HALF:
        return say("You read a little this week.")
    return say_count(
        "You read about a page a day this week.",
        "You read about {number} pages a day this week.",
        max(round(pages), 1),
    )
