"""Port: texts written for a club about pages of its book."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.club_text import ClubText, TextKind


class ClubTexts(Protocol):
    """Stores texts of readings. They are deleted with the reading, with their member, or if the book's pages change."""

    async def of_reading(self, reading_id: str, kind: TextKind, *, last_page: int) -> list[ClubText]:
        """Return the texts of a kind about pages up to `last_page`, oldest first."""

    async def keep(self, reading_id: str, texts: Sequence[ClubText]) -> None:
        """Add texts to those of a reading.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """
