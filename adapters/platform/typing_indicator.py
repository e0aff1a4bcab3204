"""Shows that an answer is being written: until it is there, and never after."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

_log = logging.getLogger(__name__)

_LAST_CALL_S: Final = 0.5


@asynccontextmanager
async def shown_while(show: Callable[[], Awaitable[object]], *, every: float) -> AsyncIterator[None]:
    """Show it while the block runs, again and again; neither its speed nor its failure touches the block."""
    stop = asyncio.Event()
    task = asyncio.create_task(_keep_showing(show, stop, every))
    try:
        yield
    finally:
        stop.set()
        # A call that is under way is waited for: cut off, it could still arrive after the answer.
        await asyncio.wait([task], timeout=_LAST_CALL_S)
        task.cancel()


async def _keep_showing(show: Callable[[], Awaitable[object]], stop: asyncio.Event, every: float) -> None:
    try:
        while not stop.is_set():
            await show()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), every)
    except Exception as error:  # noqa: BLE001 (an ornament: whatever is wrong with it, the answer goes on)
        _log.debug("That an answer is being written cannot be shown: %s", error)
