"""Shows that an answer is being written: not for one that comes at once, until it is there, and never after."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

_log = logging.getLogger(__name__)

_AFTER_S: Final = 0.3
"""An answer that is there sooner needs no notice, and costs no call for one."""
_LAST_CALL_S: Final = 0.5

Stop = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    """Do nothing."""


@asynccontextmanager
async def nothing_shown() -> AsyncIterator[Stop]:
    """Show nothing; the block gets what stops that."""
    yield _nothing


@asynccontextmanager
async def shown_while(
    show: Callable[[], Awaitable[object]],
    *,
    every: float,
    clear: Callable[[], Awaitable[object]] = _nothing,
    changed: asyncio.Event | None = None,
) -> AsyncIterator[Stop]:
    """Show it while the block runs, again and again; neither its speed nor its failure touches the block.

    The block gets what stops it, to be called before the answer is posted. `clear` takes the notice away where no
    answer did that: it was not posted, or the notice may have come after it. What it says may have `changed`: then it
    is shown at once, after the first.
    """
    notice = _Notice(show, every, changed or asyncio.Event())
    waiting = asyncio.get_running_loop().call_later(_AFTER_S, notice.begin)  # most answers are there before

    async def stop() -> None:
        waiting.cancel()
        await notice.stop()

    try:
        yield stop
    except BaseException:
        await stop()
        if notice.calls:
            await clear()
        raise
    await stop()
    if notice.calls and not notice.calls[-1]:
        await clear()


class _Notice:
    """Shows a notice again and again; `calls` notes of each call whether it came back."""

    def __init__(self, show: Callable[[], Awaitable[object]], every: float, wake: asyncio.Event) -> None:
        self._show = show
        self._every = every
        self._wake = wake
        self._is_over = False
        self._tasks: list[asyncio.Task[None]] = []
        self.calls: list[bool] = []

    def begin(self) -> None:
        self._tasks.append(asyncio.create_task(self._keep_showing()))

    async def stop(self) -> None:
        self._is_over = True
        self._wake.set()
        if self._tasks:
            # A call that is under way is waited for: cut off, it could still arrive after the answer.
            await asyncio.wait(self._tasks, timeout=_LAST_CALL_S)
            self._tasks[0].cancel()

    async def _keep_showing(self) -> None:
        try:
            while not self._is_over:
                self._wake.clear()
                self.calls.append(False)
                await self._show()
                self.calls[-1] = True
                if not self._is_over:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._wake.wait(), self._every)
        except Exception as error:  # noqa: BLE001 (an ornament: whatever is wrong with it, the answer goes on)
            _log.debug("That an answer is being written cannot be shown: %s", error)
