"""A question that a member keeps until more has been read."""

from dataclasses import dataclass
from typing import Final

_TENTH: Final = 10
MOST_KEPT: Final = 10
"""So many questions one member keeps in one reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterQuestion:
    """What a member asked at a page, in their own words, and the page from which it comes back to them."""

    later_id: int = 0
    reading_id: str
    member_id: str
    text: str
    asked_page: int
    due_page: int


def next_due(position: int, pages: int) -> int:
    """Return the page at which a question comes back: a tenth of the book on, at the latest at its end.

    Whoever stands there already is past every page at which it would.
    """
    if position >= pages:
        return pages + 1
    return min(position + max(pages // _TENTH, 1), pages)
