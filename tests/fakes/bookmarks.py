"""What is kept of one member beside their page, in memory."""

from datetime import datetime

from core.domain.position import Position
from core.domain.progress import PageSaid
from core.ports.bookmarks import Bookmarks
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryBookmarks(Bookmarks):
    """Marks in the tables that the readings keep, and go with."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings

    async def recapped(self, reading_id: str, member_id: str) -> Position:
        return self._readings.recapped.get((reading_id, member_id))

    async def set_recapped(self, reading_id: str, member_id: str, page: int) -> None:
        await self._readings.get(reading_id)
        self._readings.recapped[reading_id, member_id] = page

    async def pages_said(self, reading_id: str, member_id: str, *, since: datetime) -> list[PageSaid]:
        return _since(self._readings.said.get((reading_id, member_id), []), since)

    async def pages_moved(self, reading_id: str, *, since: datetime) -> list[PageSaid]:
        return _since([said for _, said in self._readings.moved.get(reading_id, [])], since)


def _since(said: list[PageSaid], since: datetime) -> list[PageSaid]:
    before = [each for each in said if each.at < since]
    return [*before[-1:], *(each for each in said if each.at >= since)]
