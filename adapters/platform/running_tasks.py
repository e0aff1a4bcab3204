"""Commands, buttons and forms under way: a bounded number at once, waited for at the end, refused after that."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

from core.catalogue.sentences import say, sentence

STOPPING: Final = sentence("I'm restarting. Please try again in a minute.")
TOO_MANY: Final = sentence("I'm busy. Please try again in a minute.")

_AT_ONCE: Final = 32
_MOST: Final = 500

Refuse = Callable[[str], Awaitable[object]]


class TaskSet:
    """Tasks that nothing waits for until the end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[Any]:
        """Begin some work; return its task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def idle(self) -> None:
        """Wait until no work is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def finish(self, *, within: float) -> None:
        """Let what is under way end, for so many seconds, and cancel the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class RunningTasks:
    """What members used and what is not over yet; each is a task of the caller."""

    def __init__(self, *, at_once: int = _AT_ONCE, most: int = _MOST) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._most = most
        self._tasks: set[asyncio.Task[object]] = set()
        self._is_stopping = False

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[None]:
        """Have a stop wait for what is done inside: from before it is acknowledged, since then it is owed."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("What members used is done in a task.")
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    async def run(self, act: Callable[[], Awaitable[object]], *, refuse: Refuse) -> None:
        """Do it in its turn; or say in one sentence why it is not done."""
        if len(self._tasks) > self._most:
            await refuse(say(TOO_MANY))
            return
        async with self._slots:
            if self._is_stopping:
                await refuse(say(STOPPING))
            else:
                await act()

    async def finish(self, *, within: float) -> None:
        """Begin nothing new, and let what is under way end, for so many seconds; the rest has ended by then as well."""
        self._is_stopping = True
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        while self._tasks and (left := until - loop.time()) > 0:
            await asyncio.wait(list(self._tasks), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        cut_off = list(self._tasks)
        for task in cut_off:
            task.cancel()
        await asyncio.gather(*cut_off, return_exceptions=True)
