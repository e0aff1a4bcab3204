"""Port: servers that have removed the bot, until their data is deleted."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was deleted of a scope and its direct messages: the ids of the books, and how many clubs."""

    book_ids: tuple[str, ...]
    clubs: int


class LeftServerRepository(Protocol):
    """Stores by scope (`discord:<guild>`, `slack:<team>`) when the bot was removed."""

    async def note(self, scopes: Sequence[str], at: datetime) -> list[str]:
        """Note that the bot was removed from these; return those that are new and have stored data."""

    async def returned(self, scopes: Collection[str]) -> list[str]:
        """Note that the bot is back in these; return those that it had been removed from."""

    async def stored(self, platform: str) -> list[str]:
        """Return the servers of a platform with stored clubs or books."""

    async def left_before(self, before: datetime) -> list[str]:
        """Return the scopes that removed the bot before a time."""

    async def erase(self, scope: str, *, left_before: datetime) -> Erased | None:
        """Delete all data of a scope in one transaction; None if it did not remove the bot before `left_before`."""
