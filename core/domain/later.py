"""A question that a member saves until more has been read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from core.domain.thread import Thread
from core.domain.timer import Timer

LATER_KIND: Final = "later"
"""The kind of the timers that bring a saved question back."""
LATER_ID: Final = "later_id"
_WORTH_TELLING: Final = timedelta(days=14)
_TENTH: Final = 10
MOST_KEPT: Final = 10
"""How many questions a member may save in one reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterQuestion:
    """A saved question, the page at which it was asked, and the page at which it last came back to its member.

    `told_page` is `asked_page` if it never came back.
    """

    later_id: int = 0
    reading_id: str
    member_id: str
    text: str
    asked_page: int
    told_page: int


def comes_back(told_page: int, position: int, *, story_end: int, section_ends: Iterable[int] = ()) -> bool:
    """Whether a question that last came back at `told_page` comes back at `position`.

    It does after a finished section, a tenth of the book, or the end of the story; never twice at the end.
    """
    told, reached = min(told_page, story_end), min(position, story_end)
    if reached <= told:
        return False
    is_far = reached - told >= max(story_end // _TENTH, 1)
    return is_far or reached == story_end or any(told < end <= reached for end in section_ends)


def brings_back(question: LaterQuestion, thread: Thread, now: datetime) -> Timer:
    """Return the timer that brings a question back now; its name prevents a second one for the same page."""
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
