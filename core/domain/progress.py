"""How far a club has come, in a line: of everybody together, never of one member to another."""

from collections.abc import Iterable
from typing import Final

from core.domain.position import MemberPosition

_PARTS: Final = 10
_WHOLE: Final = 100
_ENOUGH: Final = 4
"""From so many own pages on it is told how many have come how far: of fewer, one could guess who it is."""


def bar(position: int, pages: int) -> str:
    """Return a share of a book as a bar of ten parts; a part is full once all of it is read."""
    full = _PARTS * position // max(pages, 1)
    return "▓" * full + "░" * (_PARTS - full)


def percent(position: int, pages: int) -> int:
    """Return a share of a book in percent, rounded down."""
    return _WHOLE * position // max(pages, 1)


def reached(members: Iterable[MemberPosition], position: int) -> tuple[int, int] | None:
    """Return how many members with a page of their own have come so far, and how many there are; None for too few."""
    own = [member.position for member in members if member.position is not None]
    return (sum(page >= position for page in own), len(own)) if len(own) >= _ENOUGH else None
