"""Port: the schedule that a reading keeps, whole."""

from typing import Protocol

from core.domain.schedule import Schedule


class ScheduleRepository(Protocol):
    """One schedule a reading, until it is dropped or the reading is gone."""

    async def get(self, reading_id: str) -> Schedule | None:
        """Return the schedule of a reading; None where it keeps none."""

    async def keep(self, reading_id: str, schedule: Schedule) -> None:
        """Keep a schedule, in place of the one before.

        Raises:
            BookError: there is no such reading any more.
        """

    async def drop(self, reading_id: str) -> None:
        """Keep none any more."""
