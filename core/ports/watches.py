"""Port: which clubs have posts checked for spoilers, and when members were last told about one."""

from datetime import datetime
from typing import Protocol


class Watches(Protocol):
    """Stores a switch per club, off by default, and when each member was last nudged."""

    async def is_on(self, club_id: str) -> bool:
        """Return whether a club's posts are checked; False for an unknown club."""

    async def set_on(self, club_id: str, *, on: bool) -> None:
        """Switch the checks of a club on or off."""

    async def take_turn(self, reading_id: str, member_id: str, *, now: datetime, since: datetime) -> bool:
        """Note that a member is nudged now; False, without a note, if they were nudged after `since`.

        All readings of the scope count. A member without an own page in the reading is never nudged.
        """
