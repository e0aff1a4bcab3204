"""Shows that an answer is being written: not for one that comes at once, until it is there, and never after."""

import asyncio
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
    """A platform that takes its notice away by itself."""


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
    stopping = asyncio.Event()
    calls: list[bool] = []
    tasks: list[asyncio.Task[None]] = []

    def begin() -> None:
        tasks.append(asyncio.create_task(_keep_showing(show, stopping, every, calls, changed or asyncio.Event())))

    waiting = asyncio.get_running_loop().call_later(_AFTER_S, begin)  # most answers are there before

    async def stop() -> None:
        waiting.cancel()
        stopping.set()
        if tasks:
            # A call that is under way is waited for: cut off, it could still arrive after the answer.
            await asyncio.wait(tasks, timeout=_LAST_CALL_S)
            tasks[0].cancel()

    try:
        yield stop
    except BaseException:
        await stop()
        if calls:
            await clear()
        raise
    await stop()
    if calls and not calls[-1]:
        await clear()


async def _keep_showing(
    show: Callable[[], Awaitable[object]],
    stopping: asyncio.Event,
    every: float,
    calls: list[bool],
    changed: asyncio.Event,
) -> None:
    """Show it; `calls` notes of each call whether it came back."""
    try:
        while not stopping.is_set():
            changed.clear()
            calls.append(False)
            await show()
            calls[-1] = True
            await _either(stopping, changed, within=every)
    except Exception as error:  # noqa: BLE001 (an ornament: whatever is wrong with it, the answer goes on)
        _log.debug("That an answer is being written cannot be shown: %s", error)


async def _either(one: asyncio.Event, other: asyncio.Event, *, within: float) -> None:
    """Wait until one of two things happens, for so many seconds."""
    waits = [asyncio.create_task(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waits, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
