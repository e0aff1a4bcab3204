"""Another name for a character, set by an organiser: `I` is Jim Hawkins."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.folding import folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name, the character it stands for, and the page from which it may be shown."""

    name: str
    stands_for: str
    page: int

    @property
    def key(self) -> str:
        """The name as it is compared with others."""
        return folded(self.name)


def visible(aliases: Iterable[Alias], position: int) -> list[Alias]:
    """Return the aliases visible at a page; of several for one name, the one with the latest page."""
    latest: dict[str, Alias] = {}
    for alias in sorted(aliases, key=lambda each: each.page):
        if alias.page <= position:
            latest[alias.key] = alias
    return sorted(latest.values(), key=lambda each: each.key)
