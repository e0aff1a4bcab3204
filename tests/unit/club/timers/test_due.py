"""What falls due is told once: through outages, faults, processes that end, and clocks that are set."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from adapters.persistence.timers import SqlTimerTable
from core.club.timers.due import LEASE, Due, DueMessage, NotSentError, ServedPlatform, TimerKind
from core.domain.errors import StorageError
from core.domain.timer import ClaimedTimer, Timer
from tests.fakes.clock import FrozenClock
from tests.unit.world import THREAD, World

_NOON = datetime(2026, 3, 8, 12, tzinfo=UTC)
_HOUR = timedelta(hours=1)


class Telling(TimerKind):
    """Tells the name of its timers; one that was missed, to whoever wanted it."""

    name = "telling"

    def __init__(self) -> None:
        """Nothing breaks until `broken` says so."""
        self.broken: Exception | None = None

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        if self.broken is not None:
            raise self.broken
        return [DueMessage(thread=timer.thread, text=timer.name)]

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        return [DueMessage(thread=timer.thread, text=f"{timer.name} was missed", member_id="olga")]


class Board(ServedPlatform):
    """A platform on which a text of one ref stands once, if it is looked for."""

    def __init__(self) -> None:
        """Reachable, empty."""
        self.said: list[tuple[str, str]] = []
        self.refs: list[str] = []
        self.is_there = True
        self.fails: list[Exception] = []
        self.loses_answers = False

    def timer_scopes(self) -> Sequence[str]:
        return ("discord:",) if self.is_there else ()

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        if self.fails:
            raise self.fails.pop(0)
        if since is None or ref not in self.refs:
            self.said.append((message.member_id, message.text))
            self.refs.append(ref)
        await self._end()

    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        return ref in self.refs

    async def _end(self) -> None:
        if self.loses_answers:
            self.loses_answers = False
            raise NotSentError("nobody knows", for_good=False)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(_NOON)


@pytest.fixture
def kind() -> Telling:
    return Telling()


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
async def table(world: World) -> SqlTimerTable:
    await world.reading(position=1)
    return SqlTimerTable(world.database)


@pytest.fixture
def due(table: SqlTimerTable, kind: Telling, clock: FrozenClock) -> Due:
    return Due(table=table, kinds=[kind], clock=clock)


def _at(hours: float, *, name: str = "one", kind: str = "telling") -> Timer:
    return Timer(kind=kind, name=name, thread=THREAD, due=_NOON + hours * _HOUR, late=12 * _HOUR)


async def test_it_is_told_when_it_is_due_and_never_again(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock
) -> None:
    await table.keep(_at(1))
    await due.run_due(board)
    assert board.said == []
    clock.advance(_HOUR)
    for jump in (timedelta(0), _HOUR, 9 * _HOUR):
        clock.set_back(jump)
        await due.run_due(board)
        clock.advance(jump * 2)
        await due.run_due(board)
    assert board.said == [("", "one")]


async def test_the_loop_looks_whenever_time_has_passed(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock
) -> None:
    await table.keep(_at(1))
    loop = asyncio.create_task(due.run(lambda: board))
    await clock.is_waited_for()
    clock.advance(_HOUR)
    await clock.is_waited_for()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    assert board.said == [("", "one")]


async def test_what_comes_too_late_is_dropped_and_said_to_whoever_wanted_it(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    await table.keep(_at(0, name="in time"))
    clock.advance(12 * _HOUR)
    await due.run_due(board)
    await table.keep(_at(0, name="too late"))
    clock.advance(timedelta(seconds=1))
    with caplog.at_level(logging.WARNING):
        await due.run_due(board)
        await due.run_due(board)
    assert board.said == [("", "in time"), ("olga", "too late was missed")]
    assert [record.message for record in caplog.records] == [
        f"telling too late of {THREAD.scope}:{THREAD.place} was due at {_NOON.isoformat()}: too late, dropped."
    ]


async def test_a_platform_that_is_away_is_not_asked_and_one_that_fails_is_asked_later(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock
) -> None:
    await table.keep(_at(0))
    board.is_there = False
    await due.run_due(board)
    board.is_there = True
    board.fails = [NotSentError("down", for_good=False)] * 2
    for _ in range(2):
        await due.run_due(board)
        await due.run_due(board)  # too early to try again
        assert board.said == []
        clock.advance(timedelta(minutes=2))
    await due.run_due(board)
    assert board.said == [("", "one")]


async def test_what_was_posted_though_nobody_knew_stands_once(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock
) -> None:
    await table.keep(_at(0))
    board.loses_answers = True
    await due.run_due(board)
    clock.advance(_HOUR)
    await due.run_due(board)
    assert board.said == [("", "one")]


async def test_a_process_that_ends_half_way_leaves_it_to_the_next_one(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock
) -> None:
    await table.keep(_at(0))
    await table.claim(scopes=["discord:"], now=clock.now(), lease=LEASE, most=1)  # by a process that ends
    await due.run_due(board)
    assert board.said == []
    clock.advance(LEASE)
    await due.run_due(board)
    assert board.said == [("", "one")]


async def test_one_that_breaks_holds_up_nobody_and_is_given_up(
    table: SqlTimerTable, due: Due, board: Board, clock: FrozenClock, kind: Telling
) -> None:
    kind.broken = RuntimeError("a fault of ours")
    await table.keep(_at(0))
    await table.keep(_at(0, name="unknown", kind="of a later version"))
    for _ in range(9):
        await due.run_due(board)
        clock.advance(_HOUR)
    kind.broken = None
    await due.run_due(board)
    assert board.said == []
    assert await table.waiting(thread=THREAD, kind="telling") == []


class _Broken(SqlTimerTable):
    fails = 1

    async def claim(self, *, scopes: Sequence[str], now: datetime, lease: timedelta, most: int) -> list[ClaimedTimer]:
        self.fails -= 1
        if self.fails >= 0:
            raise StorageError("The database is away.")
        return await super().claim(scopes=scopes, now=now, lease=lease, most=most)


async def test_a_database_that_is_away_ends_nothing(
    world: World, board: Board, kind: Telling, clock: FrozenClock
) -> None:
    await world.reading(position=1)
    table = _Broken(world.database)
    await table.keep(_at(0))
    loop = asyncio.create_task(Due(table=table, kinds=[kind], clock=clock).run(lambda: board))
    await clock.is_waited_for()
    clock.advance(_HOUR)
    await clock.is_waited_for()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    assert board.said == [("", "one")]


async def test_only_the_scopes_of_a_platform_are_its_own(table: SqlTimerTable, due: Due) -> None:
    await table.keep(_at(0))

    class Slack(Board):
        def timer_scopes(self) -> Sequence[str]:
            return ("slack:T1", "slack:dm:T1:")

    slack = Slack()
    await due.run_due(slack)
    assert slack.said == []
