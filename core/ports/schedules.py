"""Port: the schedules of readings."""

from typing import Protocol

from core.domain.schedule import Schedule


class ScheduleRepository(Protocol):
    """Stores one schedule per reading, which is deleted with the reading."""

    async def get(self, reading_id: str) -> Schedule | None:
        """Return the schedule of a reading; None if it has none."""

    async def keep(self, reading_id: str, schedule: Schedule) -> None:
        """Store a schedule in place of the one before.

        Raises:
            BookError: the reading is gone.
        """

    async def drop(self, reading_id: str) -> None:
        """Delete the schedule of a reading."""
