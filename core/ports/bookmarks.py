"""Port: what is kept of one member in one reading beside their page: where their last recap ended, and their way."""

from datetime import datetime
from typing import Protocol

from core.domain.position import Position
from core.domain.progress import PageSaid


class Bookmarks(Protocol):
    """Marks of members, for their own eyes; they go with the reading, and when a member is forgotten."""

    async def recapped(self, reading_id: str, member_id: str) -> Position:
        """Return the page up to which a member was last told the story; None where they were not."""

    async def set_recapped(self, reading_id: str, member_id: str, page: int) -> None:
        """Keep the page up to which a member was told the story."""

    async def pages_said(self, reading_id: str, member_id: str, *, since: datetime) -> list[PageSaid]:
        """Return the pages that a member said for themselves since then, and the last one before; oldest first."""

    async def pages_moved(self, reading_id: str, *, since: datetime) -> list[PageSaid]:
        """Return where the whole reading and its threads were moved to, as `pages_said` does; undone moves aside."""
