"""How clubs read, in memory."""

from datetime import datetime
from typing import TYPE_CHECKING

from core.domain.position import AnswerIn, MemberPosition, Pace, PageControl, Position
from core.domain.progress import PageSaid
from core.domain.reading import Listen, ListeningRule, Usage
from core.domain.thread import Thread
from core.ports.clubs import ClubRepository
from tests.fakes.readings import InMemoryReadingRepository

if TYPE_CHECKING:
    from tests.fakes.club_links import InMemoryClubLinks
    from tests.fakes.schedules import InMemoryScheduleRepository
    from tests.fakes.timers import InMemoryTimerTable


class InMemoryClubRepository(ClubRepository):
    """Keeps what was set; `usages` is what clubs used, `forgotten` who and what was forgotten."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings
        self._listen: dict[str, Listen] = {}
        self._club_listen: dict[str, Listen] = {}
        self.usages: dict[tuple[str, str], Usage] = {}
        self.forgotten: list[str] = []
        self.timers: InMemoryTimerTable | None = None
        self.schedules: InMemoryScheduleRepository | None = None
        self.links: InMemoryClubLinks | None = None

    async def member_position(self, reading_id: str, member_id: str) -> Position:
        return self._member(reading_id, member_id).position

    async def set_member_position(self, reading_id: str, member_id: str, position: Position) -> None:
        self._put(reading_id, member_id, position, self._member(reading_id, member_id).last_spoke_at)
        if position is not None:
            said = PageSaid(page=position, at=self._readings.now())
            self._readings.said.setdefault((reading_id, member_id), []).append(said)

    async def answer_in(self, conversation_id: str, member_id: str) -> AnswerIn | None:
        return self._readings.answer_in.get((conversation_id, member_id))

    async def set_answer_in(self, conversation_id: str, member_id: str, chosen: AnswerIn) -> None:
        self._readings.answer_in[conversation_id, member_id] = chosen

    async def spoke(self, reading_id: str, member_id: str, at: datetime) -> None:
        self._put(reading_id, member_id, self._member(reading_id, member_id).position, at)

    async def set_pace(self, reading_id: str, pace: Pace) -> None:
        await self._readings.settle(reading_id, pace=pace)

    async def set_page_control(self, reading_id: str, page_control: PageControl) -> None:
        await self._readings.settle(reading_id, page_control=page_control)

    async def hearing(self, conversation_id: str) -> ListeningRule:
        club_id = (await self._readings.standing(conversation_id)).reading.club_id
        of_thread = self._listen.get(self._readings.thread_of(conversation_id))
        of_club = self._club_listen.get(club_id, Listen.QUESTIONS)
        return ListeningRule(listen=of_thread or of_club, said_here=of_thread is not None)

    async def set_listen(self, conversation_id: str, listen: Listen) -> None:
        await self._readings.standing(conversation_id)
        self._listen[self._readings.thread_of(conversation_id)] = listen

    async def set_club_listen(self, club_id: str, listen: Listen) -> None:
        self._club_listen[club_id] = listen

    async def usage(self, *, scope: str, place: str, since: datetime) -> Usage:
        nothing = Usage(turns=0, answered=0, input_tokens=0, output_tokens=0, cost_micro_usd=None)
        return self.usages.get((scope, place), nothing)

    async def forget_member(self, *, scope: str, member_id: str) -> int:
        for reading_id, members in self._readings.members.items():
            self._readings.members[reading_id] = tuple(m for m in members if m.member_id != member_id)
        self._readings.forget_editions(member_id)
        if self.timers is not None:
            self.timers.forget_member(scope, member_id)
        if self.schedules is not None:
            self.schedules.forget_member(member_id)
        self._readings.forget_marks(member_id)
        kept = self._readings.answer_in.items()
        self._readings.answer_in = {key: chosen for key, chosen in kept if key[1] != member_id}
        if self.links is not None:
            self.links.forget_member(scope, member_id)
        self.forgotten.append(f"{scope} {member_id}")
        return 0

    async def forget_conversation(self, conversation_id: str) -> None:
        await self._readings.standing(conversation_id)
        self._readings.detach(conversation_id)
        self.forgotten.append(conversation_id)

    async def forget_club(self, *, scope: str, place: str) -> None:
        self.forgotten.append(f"{scope} {place}")
        if self.links is not None:
            await self.links.forget_club(Thread(scope=scope, place=place, thread=""))
        if self.timers is not None:
            self.timers.forget_club(scope, place)
        if self.schedules is not None:
            self.schedules.forget_club(scope, place)

    def _member(self, reading_id: str, member_id: str) -> MemberPosition:
        known = (m for m in self._readings.members.get(reading_id, ()) if m.member_id == member_id)
        return next(known, MemberPosition(member_id=member_id, position=None, last_spoke_at=None))

    def _put(self, reading_id: str, member_id: str, position: Position, at: datetime | None) -> None:
        others = tuple(m for m in self._readings.members.get(reading_id, ()) if m.member_id != member_id)
        put = MemberPosition(member_id=member_id, position=position, last_spoke_at=at)
        self._readings.members[reading_id] = (*others, put)
