"""Which clubs are watched, in memory."""

from datetime import datetime

from core.ports.watches import Watches
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryWatches(Watches):
    """Kept in the tables of the readings, and goes with them."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings

    async def is_on(self, club_id: str) -> bool:
        return club_id in self._readings.watched

    async def set_on(self, club_id: str, *, on: bool) -> None:
        if on:
            self._readings.watched.add(club_id)
        else:
            self._readings.watched.discard(club_id)

    async def take_turn(self, reading_id: str, member_id: str, *, now: datetime, since: datetime) -> bool:
        known = {member.member_id for member in self._readings.members.get(reading_id, ())}
        scope = await self._scope_of(reading_id)
        last = [
            at
            for (other, who), at in self._readings.nudged.items()
            if who == member_id and await self._scope_of(other) == scope
        ]
        if member_id not in known or any(at > since for at in last):
            return False
        self._readings.nudged[reading_id, member_id] = now
        return True

    async def _scope_of(self, reading_id: str) -> str:
        return (await self._readings.get(reading_id)).club_id.rpartition(":")[0]
