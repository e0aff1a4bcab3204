"""What members left for pages, in memory."""

from collections import Counter
from dataclasses import replace

from core.domain.sealed_item import SealedItem, SealedItemKind, Vote, Votes
from core.ports.sealed_items import SealedItemRepository
from tests.fakes.readings import InMemoryReadingRepository


class InMemorySealedItemRepository(SealedItemRepository):
    """Keepsakes by their ids, in the tables that the readings keep."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings

    async def keep(self, sealed_item: SealedItem) -> SealedItem:
        await self._readings.get(sealed_item.reading_id)
        kept = replace(sealed_item, keepsake_id=max(self._readings.sealed_items, default=0) + 1)
        self._readings.sealed_items[kept.keepsake_id] = kept
        return kept

    async def of_reading(self, reading_id: str, kind: SealedItemKind) -> list[SealedItem]:
        return [each for each in self._in_order(reading_id) if each.kind is kind]

    async def find(self, reading_id: str, keepsake_id: int) -> SealedItem | None:
        kept = self._readings.sealed_items.get(keepsake_id)
        return kept if kept is not None and kept.reading_id == reading_id else None

    async def change(self, sealed_item: SealedItem) -> None:
        if (kept := self._readings.sealed_items.get(sealed_item.keepsake_id)) is not None:
            self._readings.sealed_items[kept.keepsake_id] = replace(
                kept, text=sealed_item.text, opens_at=sealed_item.opens_at
            )

    async def opened(self, reading_id: str, reached: int) -> list[SealedItem]:
        found = [each for each in self._in_order(reading_id) if each.opens_at <= reached and not each.told]
        self._readings.sealed_items |= {each.keepsake_id: replace(each, told=True) for each in found}
        return found

    async def of_week(self, reading_id: str, week: str, *, reached: int) -> SealedItem | None:
        quotes = sorted(await self.of_reading(reading_id, SealedItemKind.QUOTE), key=lambda each: each.keepsake_id)
        weeks = self._readings.weeks
        theirs = [each for each in quotes if weeks.get(each.keepsake_id) == week]
        others = [each for each in quotes if each.keepsake_id not in weeks and each.opens_at <= reached]
        chosen = next(iter([*theirs, *others]), None)
        if chosen is None or chosen.opens_at > reached:
            return None
        weeks[chosen.keepsake_id] = week
        return chosen

    async def vote(self, keepsake_id: int, member_id: str, vote: Vote) -> Votes:
        if keepsake_id in self._readings.sealed_items:
            self._readings.votes.setdefault(keepsake_id, {})[member_id] = vote
        return await self.votes(keepsake_id)

    async def votes(self, keepsake_id: int) -> Votes:
        return Votes(counts=dict(Counter(self._readings.votes.get(keepsake_id, {}).values())))

    def _in_order(self, reading_id: str) -> list[SealedItem]:
        theirs = (each for each in self._readings.sealed_items.values() if each.reading_id == reading_id)
        return sorted(theirs, key=lambda each: (each.opens_at, each.keepsake_id))
