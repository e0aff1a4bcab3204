"""Work in order within a key (a thread), side by side between keys, and bounded in both directions."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

_log = logging.getLogger(__name__)

Item = TypeVar("Item")


class Queues(Generic[Item]):
    """Does the work of one item after another for each key; what waits beyond `longest` is refused."""

    def __init__(self, work: Callable[[Item], Awaitable[None]], *, at_once: int, longest: int) -> None:
        self._work = work
        self._turns = asyncio.Semaphore(at_once)
        self._longest = longest
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._stopped = False
        self._went_on = asyncio.Event()

    def is_full(self, key: Hashable) -> bool:
        """Whether a key takes no more."""
        return len(self._waiting.get(key, ())) >= self._longest

    async def has_room(self, key: Hashable) -> None:
        """Wait until a key takes more."""
        while self.is_full(key):
            self._went_on.clear()
            await self._went_on.wait()

    def put(self, key: Hashable, item: Item) -> bool:
        """Take an item; True where it must wait."""
        waits = key in self._tasks or self._turns.locked()
        self._waiting.setdefault(key, deque()).append(item)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._run(key))
        return waits

    async def idle(self) -> None:
        """Wait until nothing is left to do."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def finish(self, *, within: float) -> None:
        """Let what is under way end, for so many seconds; what waits is not begun any more."""
        self._stopped = True
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=within)
        left = list(self._tasks.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _run(self, key: Hashable) -> None:
        waiting = self._waiting[key]
        try:
            while waiting:
                async with self._turns:
                    # What was taken back while this waited for its turn leaves nothing to do.
                    if self._stopped or not waiting:
                        return
                    item = waiting.popleft()
                    self._went_on.set()
                    await self._do(item)
        finally:
            del self._tasks[key], self._waiting[key]
            self._went_on.set()

    async def _do(self, item: Item) -> None:
        try:
            await self._work(item)
        except Exception:  # noqa: BLE001 (one item holds up no other)
            _log.exception("A message could not be dealt with.")
