"""What was written for a club, in memory."""

from collections.abc import Sequence

from core.domain.club_text import ClubText, TextKind
from core.ports.club_texts import ClubTexts
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryClubTexts(ClubTexts):
    """Texts in the tables that the readings keep, and go with."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings

    async def of_reading(self, reading_id: str, kind: TextKind, *, last_page: int) -> list[ClubText]:
        kept = self._readings.texts.get(reading_id, [])
        return [each for each in kept if each.kind is kind and each.last_page <= last_page]

    async def keep(self, reading_id: str, texts: Sequence[ClubText]) -> None:
        await self._readings.get(reading_id)
        self._readings.texts.setdefault(reading_id, []).extend(texts)
