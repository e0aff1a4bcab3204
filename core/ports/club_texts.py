"""Port: what was written for a club about pages of its book."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.club_text import ClubText, TextKind


class ClubTexts(Protocol):
    """Texts of readings; they go with their reading, a member's when they are forgotten, and all with other pages."""

    async def of_reading(self, reading_id: str, kind: TextKind, *, last_page: int) -> list[ClubText]:
        """Return the texts of a kind that are about no page behind this one, the earliest kept first."""

    async def keep(self, reading_id: str, texts: Sequence[ClubText]) -> None:
        """Keep texts beside those that are there.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """
