"""Who stands for whom, in memory."""

from core.domain.alias import Alias
from core.domain.folding import folded
from core.ports.aliases import AliasRepository
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryAliasRepository(AliasRepository):
    """Aliases in the tables that the readings keep, and go with."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings

    async def of_reading(self, reading_id: str) -> list[Alias]:
        return list(self._readings.aliases.get(reading_id, {}).values())

    async def put(self, reading_id: str, alias: Alias) -> None:
        await self._readings.get(reading_id)
        self._readings.aliases.setdefault(reading_id, {})[alias.key, alias.page] = alias

    async def remove(self, reading_id: str, name: str, *, up_to: int) -> None:
        held = self._readings.aliases.get(reading_id, {})
        for key in [each for each in held if each[0] == folded(name) and each[1] <= up_to]:
            del held[key]
