"""Another name for somebody, as an organiser said it: `I` is Jim Hawkins."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.folding import folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name, whom it stands for, and the page at which that was said: before it, nobody is told."""

    name: str
    stands_for: str
    page: int

    @property
    def key(self) -> str:
        """The name as it is compared with others."""
        return folded(self.name)


def visible(aliases: Iterable[Alias], position: int) -> list[Alias]:
    """Return what has been said up to a page; of one name, what was said of it at the latest page."""
    latest: dict[str, Alias] = {}
    for alias in sorted(aliases, key=lambda each: each.page):
        if alias.page <= position:
            latest[alias.key] = alias
    return sorted(latest.values(), key=lambda each: each.key)
