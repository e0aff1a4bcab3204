"""What clubs did with their books, in memory: over the turns and the tables that the readings keep."""

from collections import Counter

from core.domain.club_record import Archive, HowFar, KeptAnswer, MemberRecord, PageMove, Ratings, ReadingSums
from core.domain.sealed_item import SealedItemKind
from core.domain.thread import is_before_all
from core.ports.club_record import ClubRecord
from tests.fakes.clock import FrozenClock
from tests.fakes.readings import InMemoryReadingRepository
from tests.fakes.schedules import InMemoryScheduleRepository
from tests.fakes.turn_record import InMemoryTurnRecord


class InMemoryClubRecord(ClubRecord):
    """Sums of what the other fakes hold; a reading began when its page was first moved."""

    def __init__(
        self, *, readings: InMemoryReadingRepository, record: InMemoryTurnRecord, schedules: InMemoryScheduleRepository
    ) -> None:
        self._readings = readings
        self._schedules = schedules
        self._record = record
        self._stars: dict[tuple[str, str], int] = {}
        self._how_far: dict[tuple[str, str], HowFar] = {}

    async def sums(self, reading_id: str) -> ReadingSums:
        turns = await self._record.answered(reading_id)
        theirs = [each for each in self._readings.sealed_items.values() if each.reading_id == reading_id]
        kinds = [each.kind for each in theirs if each.told or each.kind is SealedItemKind.PREDICTION]
        return ReadingSums(
            begun_at=min((said.at for _, said in self._readings.moved.get(reading_id, [])), default=None),
            questions=len(turns),
            found=sum(bool(self._record.ends[turn.turn_id].outcome.sources) for turn, _, _ in turns),
            quotes=kinds.count(SealedItemKind.QUOTE),
            predictions=kinds.count(SealedItemKind.PREDICTION),
        )

    async def rate(
        self, reading_id: str, member_id: str, *, stars: int | None = None, how_far: HowFar | None = None
    ) -> Ratings:
        if stars is not None:
            self._stars[reading_id, member_id] = stars
        if how_far is not None:
            self._how_far[reading_id, member_id] = how_far
        return await self.ratings(reading_id)

    async def ratings(self, reading_id: str) -> Ratings:
        return Ratings(
            stars=dict(Counter(given for (where, _), given in self._stars.items() if where == reading_id)),
            how_far=dict(Counter(said for (where, _), said in self._how_far.items() if where == reading_id)),
        )

    async def of_member(self, *, scope: str, member_id: str) -> MemberRecord:
        left = [each for each in self._readings.sealed_items.values() if each.member_id == member_id]
        return {"quotes_and_predictions": [{"text": each.text} for each in left]} if left else {}

    async def archive(self, reading_id: str) -> Archive:
        kept = [each for each in self._readings.sealed_items.values() if each.reading_id == reading_id and each.told]
        return Archive(
            moves=tuple(PageMove(at=said.at, page=said.page) for _, said in self._readings.moved.get(reading_id, [])),
            answers=tuple(
                KeptAnswer(
                    at=FrozenClock().now(),
                    page=turn.position,
                    asker=asker,
                    question=turn.user_query,
                    answer=turn.agent_response or "",
                )
                for turn, session_id, asker in await self._record.answered(reading_id)
                if is_before_all(session_id)
            ),
            sealed_items=tuple(sorted(kept, key=lambda each: (each.opens_at, each.keepsake_id))),
            schedule=await self._schedules.get(reading_id),
        )
