"""Sealed items, which open at a page: a quote that a member chose, or a prediction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.catalogue.sentences import say, sentence


class SealedItemKind(StrEnum):
    """The kind of a sealed item: a quote from the book, or a prediction in a member's words."""

    QUOTE = "quote"
    PREDICTION = "prediction"


class Vote(StrEnum):
    """How a prediction came out, as a member sees it."""

    # Note: how a prediction came out; a button too.
    RIGHT = sentence("right")
    # Note: how a prediction came out; a button too.
    HALF = sentence("half")
    # Note: how a prediction came out; a button too.
    WRONG = sentence("wrong")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedItem:
    """Something for the page `opens_at`: before a thread stands there, nobody but its member sees a word of it.

    `made_at` is the page at which the thread stood when it was left. `had_read_further` where the member's own page
    was beyond it then. `told` once the club has heard that it opened. `keepsake_id` is given when it is stored.
    """

    keepsake_id: int = 0
    reading_id: str
    kind: SealedItemKind
    member_id: str
    member_name: str
    text: str
    made_at: int
    opens_at: int
    had_read_further: bool = False
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """How many members voted for what."""

    counts: Mapping[Vote, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join(f"{say(vote)} {self.counts.get(vote, 0)}" for vote in Vote)
