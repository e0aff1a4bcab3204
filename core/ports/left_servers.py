"""Port: the servers that have removed the bot, until what they left behind is erased."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was erased of a scope, and of the direct messages that hang on it: the ids of its books, how many clubs."""

    book_ids: tuple[str, ...]
    clubs: int


class LeftServerRepository(Protocol):
    """By scope: `discord:<guild>`, `slack:<team>`. The day on which it was left is kept through restarts."""

    async def note(self, scopes: Sequence[str], at: datetime) -> list[str]:
        """Note that these were left; return those of which that was not known, and which left anything."""

    async def returned(self, scopes: Collection[str]) -> list[str]:
        """Note that these are there again; return those that had been left."""

    async def stored(self, platform: str) -> list[str]:
        """Return the servers of a platform of which anything is kept: clubs or books."""

    async def left_before(self, before: datetime) -> list[str]:
        """Return the scopes that were left before then."""

    async def erase(self, scope: str, *, left_before: datetime) -> Erased | None:
        """Erase all that is kept of a scope, whole or not at all; None where it is not among those left before then."""
