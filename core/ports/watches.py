"""Port: which clubs have members' posts watched for what lies ahead, and whom that was told to of late."""

from datetime import datetime
from typing import Protocol


class Watches(Protocol):
    """A switch for each club, off until it is set, and for each member when they were nudged last."""

    async def is_on(self, club_id: str) -> bool:
        """Return whether a club's posts are watched; False where there is no such club."""

    async def set_on(self, club_id: str, *, on: bool) -> None:
        """Switch it for a club."""

    async def take_turn(self, reading_id: str, member_id: str, *, now: datetime, since: datetime) -> bool:
        """Note that a member is nudged now; False, and nothing noted, where they were since then.

        That counts in all readings of the scope. A member who has said no page of their own there is never nudged.
        """
