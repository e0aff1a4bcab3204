"""A club's reading of one book, with the pages of threads and members."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.conversation import Conversation
from core.domain.position import MemberPosition, Pace, PageControl, Position, public_position


class Listen(StrEnum):
    """Which messages in threads are answered that do not address the bot: none, questions, or all."""

    MENTIONS = "mentions"
    QUESTIONS = "questions"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningRule:
    """What a thread listens to; `said_here` where that was said in the thread itself, and not for its whole club.

    Unless it was said there, only the threads that the bot opened are listened to.
    """

    listen: Listen = Listen.QUESTIONS
    said_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What turns took together; `cost_micro_usd` is None where a price is not known.

    `input_tokens` counts all that went in, `cache_read_tokens` what of it came from the provider's cache, `idle_tokens`
    what of all went in and out where nobody had asked; those are no `turns`.
    """

    turns: int
    answered: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int | None
    cache_read_tokens: int = 0
    idle_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A club reading one book, with its position and settings."""

    reading_id: str
    club_id: str
    book_id: str
    current_page: Position
    pace: Pace
    page_control: PageControl


PositionOwner = Conversation | Reading
"""The owner of a position: a thread, or the whole club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingState:
    """Everything that determines the position of a thread."""

    reading: Reading
    thread_position: Position
    thread_has_own: bool
    members: tuple[MemberPosition, ...] = ()

    @property
    def set_for_all(self) -> Position:
        """The position that was set: the thread's own if it has one, else the reading's."""
        return self.thread_position if self.thread_has_own else self.reading.current_page

    def public(self, now: datetime) -> Position:
        """Return the position that a public answer uses (`core.domain.position.public_position`)."""
        return public_position(
            thread_position=self.thread_position,
            thread_has_own=self.thread_has_own,
            reading_position=self.reading.current_page,
            pace=self.reading.pace,
            members=self.members,
            now=now,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionChange:
    """One move of a thread or of a reading: from where to where, and whether a thread then holds its own position.

    `member_id` is who moved it, empty where nobody here did.
    """

    change_id: int = field(default=0, compare=False)
    member_id: str = field(default="", compare=False)
    from_position: Position
    to_position: Position
    from_has_own: bool
    to_has_own: bool
