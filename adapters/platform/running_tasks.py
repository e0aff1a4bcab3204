"""Limits and tracks concurrent work: task sets, commands under way, and queues that keep each thread's order."""

import asyncio
import contextlib
import logging
import math
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from core.catalogue.sentences import say, sentence

_log = logging.getLogger(__name__)

STOPPING: Final = sentence("I'm restarting. Please try again in a minute.")
TOO_MANY: Final = sentence("I'm busy. Please try again in a minute.")

_AT_ONCE: Final = 32
_MOST: Final = 500

Refuse = Callable[[str], Awaitable[object]]
Item = TypeVar("Item")


class TaskSet:
    """Background tasks that only a shutdown waits for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        """Start a coroutine as a task; return the task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def idle(self) -> None:
        """Wait until no task is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def finish(self, *, within: float) -> None:
        """Let running tasks end for `within` seconds, and cancel the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class RunningTasks:
    """Commands and buttons that are being handled, each in a task of the caller."""

    def __init__(self, *, at_once: int = _AT_ONCE, most: int = _MOST) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._most = most
        self._tasks: set[asyncio.Task[object]] = set()
        self._is_stopping = False

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[None]:
        """Make a shutdown wait for the block; enter it before acknowledging the command."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("noted() needs a running task.")
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    async def run(self, act: Callable[[], Awaitable[object]], *, refuse: Refuse) -> None:
        """Call `act` when there is room; if there is none or the bot is stopping, `refuse` with a sentence."""
        if len(self._tasks) > self._most:
            await refuse(say(TOO_MANY))
            return
        async with self._slots:
            if self._is_stopping:
                await refuse(say(STOPPING))
            else:
                await act()

    async def finish(self, *, within: float) -> None:
        """Start nothing new, let running tasks end for `within` seconds, then cancel and await the rest."""
        self._is_stopping = True
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        while self._tasks and (left := until - loop.time()) > 0:
            await asyncio.wait(list(self._tasks), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        cut_off = list(self._tasks)
        for task in cut_off:
            task.cancel()
        await asyncio.gather(*cut_off, return_exceptions=True)


@dataclass(slots=True, eq=False)
class _Lane:
    name: Hashable
    slots: asyncio.Semaphore
    keys: int = 0


class Queues(Generic[Item]):
    """Runs `work` on items: in order within a key (a thread), concurrently across keys.

    Keys of one `lane` (a channel) together use at most half of the slots; without a lane a key has its own. A busy key
    keeps its lane. If `work` returns seconds, the item is put off: its key pauses that long and repeats it before any
    later item. A key is full when `longest` items wait and it isn't paused; callers may wait for room or leave items in
    the store.
    """

    def __init__(
        self, work: Callable[[Item], Awaitable[float | None]], *, at_once: int, longest: float = math.inf
    ) -> None:
        self._work = work
        self._slots = asyncio.Semaphore(at_once)
        self._at_once_in_lane = max(1, at_once // 2)
        self._longest = longest
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._lanes: dict[Hashable, _Lane] = {}
        self._lane_of: dict[Hashable, _Lane] = {}
        self._paused: dict[Hashable, asyncio.Event] = {}
        self._stopped = False
        self._progress = asyncio.Event()

    def is_full(self, key: Hashable) -> bool:
        """Whether a key takes no more items."""
        return len(self._waiting.get(key, ())) >= self._longest and key not in self._paused

    async def has_room(self, key: Hashable) -> None:
        """Wait until a key takes more items."""
        while self.is_full(key):
            self._progress.clear()
            await self._progress.wait()

    def put(self, key: Hashable, item: Item, *, lane: Hashable = None) -> bool:
        """Queue an item; return True if it must wait."""
        name = key if lane is None else lane
        its_lane = self._lane_of.get(key) or self._lanes.get(name)
        if its_lane is None:
            its_lane = self._lanes[name] = _Lane(name, asyncio.Semaphore(self._at_once_in_lane))
        waits = key in self._tasks or its_lane.slots.locked() or self._slots.locked()
        self._waiting.setdefault(key, deque()).append(item)
        if key not in self._tasks:
            its_lane.keys += 1
            self._lane_of[key] = its_lane
            self._tasks[key] = asyncio.create_task(self._run(key, its_lane))
        return waits

    def resume(self, key: Hashable) -> None:
        """End the pause of a key, if it is paused."""
        if key in self._paused:
            self._paused[key].set()

    async def idle(self) -> None:
        """Wait until only paused keys have items left."""
        while self._tasks.keys() - self._paused.keys():
            self._progress.clear()
            await self._progress.wait()

    async def finish(self, *, within: float) -> None:
        """Let running items end for `within` seconds, then cancel them; waiting items are not started."""
        self._stopped = True
        for key in list(self._paused):
            self.resume(key)
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
                    self._progress.set()
                    put_off = await self._work_on(item)
                if put_off is not None:
                    waiting.appendleft(item)
                    await self._pause(key, put_off)
        finally:
            del self._tasks[key], self._waiting[key], self._lane_of[key]
            lane.keys -= 1
            if not lane.keys:
                del self._lanes[lane.name]
            self._progress.set()

    async def _pause(self, key: Hashable, seconds: float) -> None:
        resume = self._paused[key] = asyncio.Event()
        self._progress.set()
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(resume.wait(), seconds)
        finally:
            del self._paused[key]

    async def _work_on(self, item: Item) -> float | None:
        try:
            return await self._work(item)
        except Exception:  # noqa: BLE001 (one item must not block the others)
            _log.exception("A message could not be handled.")
            return None
