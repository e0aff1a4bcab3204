"""Port: bookmarks of a member in a reading: where their last recap ended, and the pages they set over time."""

from datetime import datetime
from typing import Protocol

from core.domain.position import Position
from core.domain.progress import PageSaid


class Bookmarks(Protocol):
    """Stores members' bookmarks, which only the member sees. They are deleted with the reading or the member."""

    async def recapped(self, reading_id: str, member_id: str) -> Position:
        """Return the page up to which a member's last recap went; None if they had none."""

    async def set_recapped(self, reading_id: str, member_id: str, page: int) -> None:
        """Store the page up to which a member's recap went."""

    async def pages_said(self, reading_id: str, member_id: str, *, since: datetime) -> list[PageSaid]:
        """Return the pages that a member set for themselves since a time, and the last one before; oldest first."""

    async def pages_moved(self, reading_id: str, *, since: datetime) -> list[PageSaid]:
        """Return the pages that the reading and its threads moved to, as `pages_said` does, without undone moves."""
