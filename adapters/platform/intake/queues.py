"""Work in order within a key (a thread), side by side between keys, and bounded in both directions.

Keys may share a lane (a channel): then no lane can take up all the places, however many keys it has.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

_log = logging.getLogger(__name__)

_AT_ONCE_IN_LANE: Final = 16
_LONGEST_LANE: Final = 100

Item = TypeVar("Item")


@dataclass(slots=True, eq=False)
class _Lane:
    name: Hashable
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE_IN_LANE))
    keys: int = 0
    waiting: int = 0
    paused: int = 0


class Queues(Generic[Item]):
    """Does the work of one item after another for each key; what waits beyond `longest` is refused.

    `lane` is what a key shares with others; without one it shares nothing. A key that is at work stays in its lane.
    Where `work` returns seconds, the item is put off: its key pauses for so long and then has it done again, before
    all that came after it. Nothing is refused meanwhile: it is nobody's fault.
    """

    def __init__(self, work: Callable[[Item], Awaitable[float | None]], *, at_once: int, longest: int) -> None:
        self._work = work
        self._slots = asyncio.Semaphore(at_once)
        self._longest = longest
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._lanes: dict[Hashable, _Lane] = {}
        self._lane_of: dict[Hashable, _Lane] = {}
        self._paused: dict[Hashable, asyncio.Event] = {}
        self._stopped = False
        self._went_on = asyncio.Event()

    def is_full(self, key: Hashable, *, lane: Hashable = None) -> bool:
        """Whether a key, or its lane, takes no more."""
        its_lane = self._lanes.get(lane)
        is_lane_full = its_lane is not None and its_lane.waiting >= _LONGEST_LANE and not its_lane.paused
        return is_lane_full or (len(self._waiting.get(key, ())) >= self._longest and key not in self._paused)

    async def has_room(self, key: Hashable) -> None:
        """Wait until a key takes more."""
        while self.is_full(key):
            self._went_on.clear()
            await self._went_on.wait()

    def put(self, key: Hashable, item: Item, *, lane: Hashable = None) -> bool:
        """Take an item; True where it must wait."""
        name = key if lane is None else lane
        its_lane = self._lane_of.get(key) or self._lanes.setdefault(name, _Lane(name))
        waits = key in self._tasks or its_lane.slots.locked() or self._slots.locked()
        its_lane.waiting += 1
        self._waiting.setdefault(key, deque()).append(item)
        if key not in self._tasks:
            its_lane.keys += 1
            self._lane_of[key] = its_lane
            self._tasks[key] = asyncio.create_task(self._run(key, its_lane))
        return waits

    def go_on(self, key: Hashable) -> None:
        """Pause no longer, where a key does."""
        if key in self._paused:
            self._paused[key].set()

    async def idle(self) -> None:
        """Wait until nothing is left to do but what was put off."""
        while self._tasks.keys() - self._paused.keys():
            self._went_on.clear()
            await self._went_on.wait()

    async def finish(self, *, within: float) -> None:
        """Let what is under way end, for so many seconds; what waits is not begun any more."""
        self._stopped = True
        for key in list(self._paused):
            self.go_on(key)
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=within)
        left = list(self._tasks.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _run(self, key: Hashable, lane: _Lane) -> None:
        waiting = self._waiting[key]
        try:
            while waiting:
                async with lane.slots, self._slots:
                    if self._stopped:
                        return
                    item = waiting.popleft()
                    lane.waiting -= 1
                    self._went_on.set()
                    put_off = await self._do(item)
                if put_off is not None:
                    waiting.appendleft(item)
                    lane.waiting += 1
                    await self._pause(key, lane, put_off)
        finally:
            del self._tasks[key], self._waiting[key], self._lane_of[key]
            lane.waiting -= len(waiting)
            lane.keys -= 1
            if not lane.keys:
                del self._lanes[lane.name]
            self._went_on.set()

    async def _pause(self, key: Hashable, lane: _Lane, seconds: float) -> None:
        go_on = self._paused[key] = asyncio.Event()
        lane.paused += 1
        self._went_on.set()
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(go_on.wait(), seconds)
        finally:
            del self._paused[key]
            lane.paused -= 1

    async def _do(self, item: Item) -> float | None:
        try:
            return await self._work(item)
        except Exception:  # noqa: BLE001 (one item holds up no other)
            _log.exception("A message could not be dealt with.")
            return None
