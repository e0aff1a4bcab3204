"""A question that a member keeps until more has been read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from core.domain.thread import Thread
from core.domain.timer import Timer

LATER_KIND: Final = "later"
"""The kind of the timers that bring a question back."""
LATER_ID: Final = "later_id"
_WORTH_TELLING: Final = timedelta(days=14)
_TENTH: Final = 10
MOST_KEPT: Final = 10
"""So many questions one member keeps in one reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterQuestion:
    """What a member asked at a page, in their own words, and where they stood when it last came back to them.

    One that never came back was told at the page at which it was asked.
    """

    later_id: int = 0
    reading_id: str
    member_id: str
    text: str
    asked_page: int
    told_page: int


def comes_back(told_page: int, position: int, *, story_end: int, section_ends: Iterable[int] = ()) -> bool:
    """Whether a question comes back at a position that was told at a page before.

    It does where a section was read to its end since, or a tenth of the book, or the story to its end; whoever stands
    at that is told nothing once more.
    """
    told, reached = min(told_page, story_end), min(position, story_end)
    if reached <= told:
        return False
    is_far = reached - told >= max(story_end // _TENTH, 1)
    return is_far or reached == story_end or any(told < end <= reached for end in section_ends)


def brings_back(question: LaterQuestion, thread: Thread, now: datetime) -> Timer:
    """Return the timer that brings a question back now; by its name that is done once after each time it was."""
    return Timer(
        kind=LATER_KIND,
        name=f"{question.later_id}:{question.told_page}",
        thread=thread,
        due=now,
        late=_WORTH_TELLING,
        reading_id=question.reading_id,
        member_id=question.member_id,
        payload={LATER_ID: str(question.later_id)},
    )
