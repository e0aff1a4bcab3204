"""How fast somebody reads, by the pages that they said and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

WINDOW: Final = timedelta(days=7)
"""What is looked at: the last week."""

_LEAST: Final = timedelta(days=1)
_ONE_AND_A_HALF: Final = 1.5
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSaid:
    """A page that somebody said they had read, and when."""

    page: int
    at: datetime


def pages_a_day(said: Sequence[PageSaid], *, now: datetime) -> float | None:
    """Return how many pages a day were read in the last week; None where that cannot be told yet, or none were.

    `said` is oldest first, and may begin before the week. Less than a day of it tells nothing.
    """
    before = [each for each in said if each.at <= now - WINDOW]
    counted = [*before[-1:], *(each for each in said if each.at > now - WINDOW)]
    if not counted:
        return None
    passed = min(now - counted[0].at, WINDOW)
    read = counted[-1].page - counted[0].page
    if passed < _LEAST or read <= 0:
        return None
    return read / (passed / timedelta(days=1))


def pace_line(pages: float | None) -> str:
    """Say how fast somebody read of late; nothing where that cannot be told."""
    if pages is None:
        return ""
    if pages >= _ONE_AND_A_HALF:
        return f"You read about {round(pages)} pages a day this week."
    return "You read about a page a day this week." if pages >= _HALF else "You read a little this week."
