"""What was written for a club about some pages of its book, and is kept: a sentence, a question to talk about."""

from dataclasses import dataclass
from enum import StrEnum


class TextKind(StrEnum):
    """What a text is."""

    RECAP = "recap"
    STORY = "story"
    """A recap of several chapters."""
    PERSON = "person"
    """Who someone is; the name comes first, on a line of its own."""
    QUESTION = "question"
    ADDED = "added"
    """A member's own question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubText:
    """A text about some pages, written by somebody who knew them and none behind them.

    An empty one says that nothing usable came of it, so that it is not tried again. `member_id` is whose it is.
    """

    kind: TextKind
    first_page: int
    last_page: int
    text: str
    member_id: str = ""

    @property
    def pages(self) -> tuple[int, int]:
        """The first and the last page that it is about."""
        return self.first_page, self.last_page
