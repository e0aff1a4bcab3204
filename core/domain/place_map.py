"""Where the places of one import of a book are in another: what re-importing a changed file goes by."""

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.edition import Edition, KnownPoint, learn


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMap:
    """Pages and offsets of an old text in a new one.

    `pages_down` and `pages_up` hold, for 0 to the last old page, the new page up to which is surely read, and the one
    up to which may have been told. `offset` finds an old offset's place, rounding down.
    """

    pages_down: tuple[int, ...]
    pages_up: tuple[int, ...]
    offset: Callable[[int], int]

    def position(self, page: int | None) -> int | None:
        """Return where somebody stands who stood at `page`: never further in the text."""
        return None if page is None else self.pages_down[min(page, len(self.pages_down) - 1)]

    def reveals(self, page: int | None) -> int | None:
        """Return the page that something may tell of that told of `page`: never earlier in the text."""
        return None if page is None else self.pages_up[min(page, len(self.pages_up) - 1)]

    def edition(self, edition: Edition | None) -> Edition | None:
        """Return a copy with its known points at their new places."""
        if edition is None:
            return None
        moved = Edition(first_page=edition.first_page, last_page=edition.last_page)
        for point in edition.points:
            moved = learn(moved, KnownPoint(page=point.page, offset=self.offset(point.offset)))
        return moved
