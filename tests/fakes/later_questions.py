"""The questions that members keep for later, in memory."""

from dataclasses import replace

from core.domain.later import LaterQuestion
from core.ports.later_questions import LaterQuestions
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryLaterQuestions(LaterQuestions):
    """Questions in the tables that the readings keep, and go with."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings
        self._kept = 0

    async def keep(self, question: LaterQuestion, *, most: int) -> bool:
        await self._readings.get(question.reading_id)
        theirs = [
            each.text for each in await self.of_reading(question.reading_id) if each.member_id == question.member_id
        ]
        if question.text in theirs:
            return True
        if len(theirs) >= most:
            return False
        self._kept += 1
        self._readings.later[self._kept] = replace(question, later_id=self._kept)
        return True

    async def of_reading(self, reading_id: str) -> list[LaterQuestion]:
        return [each for each in self._readings.later.values() if each.reading_id == reading_id]

    async def get(self, later_id: int) -> LaterQuestion | None:
        return self._readings.later.get(later_id)

    async def told(self, later_id: int, *, page: int) -> None:
        if later_id in self._readings.later:
            self._readings.later[later_id] = replace(self._readings.later[later_id], told_page=page)

    async def drop(self, later_id: int, member_id: str) -> None:
        kept = self._readings.later.get(later_id)
        if kept is not None and kept.member_id == member_id:
            del self._readings.later[later_id]
