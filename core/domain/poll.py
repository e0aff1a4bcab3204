"""What a club may read next: titles that members propose, and the poll among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.catalogue.sentences import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A book that somebody would read next, in their own words; who it was is never shown."""

    title: str
    author: str = ""

    def __str__(self) -> str:
        if not self.author:
            return f"*{self.title}*"
        return say("*{title}* by {author}", title=self.title, author=self.author)

    @property
    def label(self) -> str:
        """As a button says it."""
        return self.title + (f" ({self.author})" if self.author else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """A vote among proposals, each member having one; `counts` are by the place of a proposal in the list."""

    poll_id: int
    proposals: tuple[Proposal, ...]
    is_open: bool
    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def votes(self) -> int:
        """How many members voted."""
        return sum(self.counts.values())

    @property
    def leaders(self) -> tuple[Proposal, ...]:
        """Those with the most votes: one that has won, or several that are even; all where nobody voted."""
        most = max(self.counts.values(), default=0)
        return tuple(each for place, each in enumerate(self.proposals) if self.counts.get(place, 0) == most)
