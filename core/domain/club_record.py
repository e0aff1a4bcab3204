"""What a club did with a book: sums for organisers, members' ratings, and the archive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from core.domain.schedule import Schedule
from core.domain.sealed_item import SealedItem

MemberRecord = Mapping[str, Sequence[Mapping[str, object]]]
"""What is kept of a member: rows by their kind, as JSON takes them."""


class HowFar(StrEnum):
    """How much of the book a member has read."""

    READ = "read"
    PARTLY = "partly"
    NOT = "not"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSums:
    """A reading in numbers: since when, how many questions, and how many of these the book's text answered.

    Of `quotes` those that the club has got to are counted.
    """

    begun_at: datetime | None = None
    questions: int = 0
    found: int = 0
    quotes: int = 0
    predictions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Ratings of a book in sums: how many members gave how many stars, and how many have read how much."""

    stars: Mapping[int, int] = field(default_factory=dict)
    how_far: Mapping[HowFar, int] = field(default_factory=dict)

    @property
    def given(self) -> int:
        """How many members gave stars."""
        return sum(self.stars.values())

    @property
    def average(self) -> float:
        """The stars that were given, on average; 0 where none were."""
        return sum(stars * members for stars, members in self.stars.items()) / max(self.given, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMove:
    """The club's page, or that of one of its threads, was moved."""

    at: datetime
    page: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A public question, its answer, and the page at which it was answered."""

    at: datetime
    page: int | None
    asker: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Everything that a club may keep of a reading. It has nothing private and nothing sealed."""

    moves: tuple[PageMove, ...] = ()
    answers: tuple[KeptAnswer, ...] = ()
    sealed_items: tuple[SealedItem, ...] = ()
    schedule: Schedule | None = None

    def up_to(self, page: int) -> "Archive":
        """Return the part that a reader of pages up to `page` may see."""
        return replace(
            self,
            answers=tuple(each for each in self.answers if (each.page or 0) <= page),
            sealed_items=tuple(each for each in self.sealed_items if each.opens_at <= page),
        )
