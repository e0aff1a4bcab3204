"""The schedules of readings, in memory."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.domain.errors import BookError
from core.domain.schedule import Schedule
from core.ports.schedules import ScheduleRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.readings import InMemoryReadingRepository

if TYPE_CHECKING:
    from tests.fakes.club_links import InMemoryClubLinks


class InMemoryScheduleRepository(ScheduleRepository):
    """Schedules by their reading, and gone with it."""

    def __init__(self, *, readings: InMemoryReadingRepository, clubs: InMemoryClubRepository) -> None:
        self._readings = readings
        clubs.schedules = self
        self._kept: dict[str, Schedule] = {}
        self.links: InMemoryClubLinks | None = None

    async def get(self, reading_id: str) -> Schedule | None:
        try:
            await self._readings.get(reading_id)
        except BookError:
            return None
        return self._kept.get(reading_id)

    async def keep(self, reading_id: str, schedule: Schedule) -> None:
        await self._readings.get(reading_id)
        self._kept[reading_id] = schedule
        if self.links is not None:
            await self.links.dated(reading_id)

    async def drop(self, reading_id: str) -> None:
        self._kept.pop(reading_id, None)
        if self.links is not None:
            await self.links.dated(reading_id)

    def forget_member(self, member_id: str) -> None:
        """Forget that a member wanted reminders."""
        for reading_id, kept in self._kept.items():
            if kept.reminding is not None and kept.reminding.wanted_by == member_id:
                self._kept[reading_id] = replace(kept, reminding=replace(kept.reminding, wanted_by=""))

    def forget_club(self, scope: str, place: str) -> None:
        """Drop what is a club's."""
        self._kept = {one: kept for one, kept in self._kept.items() if not one.startswith(f"r_c_{scope}:{place}/")}
