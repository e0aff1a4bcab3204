"""What falls due, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.domain.errors import BookError, BookErrorCode
from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer, TimerState
from core.ports.timers import TimerTable
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.readings import InMemoryReadingRepository

_OPEN = (TimerState.WAITING, TimerState.CLAIMED)


@dataclass(slots=True, kw_only=True)
class _Kept:
    timer_id: int
    timer: Timer
    not_before: datetime
    state: TimerState = TimerState.WAITING
    claim: str = ""
    begun: datetime | None = None
    attempts: int = 0


class InMemoryTimerTable(TimerTable):
    """Timers in the order in which they were kept first."""

    def __init__(self, *, readings: InMemoryReadingRepository, clubs: InMemoryClubRepository) -> None:
        self._readings = readings
        clubs.timers = self
        self._all: list[_Kept] = []
        self._ids = 0

    async def keep(self, timer: Timer) -> None:
        if not self._readings.knows(scope=timer.thread.scope, place=timer.thread.place):
            raise BookError(BookErrorCode.NOT_FOUND, "This club is not there any more.")
        if timer.reading_id is not None:
            await self._readings.get(timer.reading_id)
        before = [one for one in self._all if _key(one.timer) == _key(timer)]
        self._ids += 0 if before else 1
        timer_id = before[0].timer_id if before else self._ids
        self._all = [one for one in self._all if one not in before]
        self._all.append(_Kept(timer_id=timer_id, timer=timer, not_before=timer.due))

    async def cancel(self, *, thread: Thread, kind: str, name: str | None = None) -> int:
        gone = [one for one in await self._open(thread, kind) if name in {None, one.timer.name}]
        self._all = [one for one in self._all if one not in gone]
        return len(gone)

    async def waiting(self, *, thread: Thread, kind: str) -> list[Timer]:
        found = [one.timer for one in await self._open(thread, kind)]
        return sorted(found, key=lambda timer: (timer.due, timer.name))

    async def claim(self, *, scopes: Sequence[str], now: datetime, lease: timedelta, most: int) -> list[ClaimedTimer]:
        await self._drop_what_is_gone()
        due = [
            one
            for one in self._all
            if one.state in _OPEN
            and one.not_before <= now
            and any(_is_in(one.timer.thread.scope, scope) for scope in scopes)
        ]
        claimed = []
        for one in sorted(due, key=lambda one: (one.timer.due, one.timer_id))[:most]:
            one.attempts += 1
            one.state, one.claim, one.not_before = TimerState.CLAIMED, f"claim {one.attempts}", now + lease
            one.begun = one.begun or now
            claimed.append(
                ClaimedTimer(
                    timer=one.timer, timer_id=one.timer_id, claim=one.claim, begun=one.begun, attempts=one.attempts
                )
            )
        return claimed

    async def done(self, claimed: ClaimedTimer, *, dropped: bool = False) -> None:
        for one in self._held(claimed):
            one.state, one.claim = TimerState.DROPPED if dropped else TimerState.DONE, ""

    async def put_off(self, claimed: ClaimedTimer, *, until: datetime) -> None:
        for one in self._held(claimed):
            one.state, one.claim, one.not_before = TimerState.WAITING, "", until

    async def prune(self, before: datetime) -> int:
        old = [one for one in self._all if one.state not in _OPEN and one.timer.due < before]
        self._all = [one for one in self._all if one not in old]
        return len(old)

    def forget_member(self, scope: str, member_id: str) -> None:
        """Drop what is a member's in a scope."""
        self._all = [one for one in self._all if (one.timer.thread.scope, one.timer.member_id) != (scope, member_id)]

    def forget_club(self, scope: str, place: str) -> None:
        """Drop what is a club's."""
        self._all = [one for one in self._all if (one.timer.thread.scope, one.timer.thread.place) != (scope, place)]

    def _held(self, claimed: ClaimedTimer) -> list[_Kept]:
        return [one for one in self._all if (one.timer_id, one.claim) == (claimed.timer_id, claimed.claim)]

    async def _open(self, thread: Thread, kind: str) -> list[_Kept]:
        await self._drop_what_is_gone()
        of_kind = (thread.scope, thread.place, kind)
        return [one for one in self._all if one.state in _OPEN and _key(one.timer)[:3] == of_kind]

    async def _drop_what_is_gone(self) -> None:
        """Let go of what is about a reading whose book was removed, as the foreign key does in SQL."""
        for one in list(self._all):
            if one.timer.reading_id is not None:
                try:
                    await self._readings.get(one.timer.reading_id)
                except BookError:
                    self._all.remove(one)


def _key(timer: Timer) -> tuple[str, str, str, str]:
    return timer.thread.scope, timer.thread.place, timer.kind, timer.name


def _is_in(scope: str, wanted: str) -> bool:
    return scope.startswith(wanted) if wanted.endswith(":") else scope == wanted
