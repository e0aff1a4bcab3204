"""Shows a typing indicator while an answer is written: not for quick answers, and never after the answer."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

_log = logging.getLogger(__name__)

_DELAY_S: Final = 0.3
"""An answer that is ready sooner needs no indicator."""
_LAST_CALL_S: Final = 0.5

Stop = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    """Do nothing."""


@asynccontextmanager
async def nothing_shown() -> AsyncIterator[Stop]:
    """Show no indicator; the block gets a function that does nothing."""
    yield _nothing


@asynccontextmanager
async def shown_while(
    show: Callable[[], Awaitable[object]],
    *,
    every: float,
    clear: Callable[[], Awaitable[object]] = _nothing,
    changed: asyncio.Event | None = None,
) -> AsyncIterator[Stop]:
    """Call `show` every `every` seconds while the block runs; its delays and failures don't affect the block.

    The block gets a function that stops the indicator, to be called before the answer is posted. `clear` removes the
    indicator if no answer was posted, or if the indicator may have arrived after it. Setting `changed` shows it again
    at once, after the first time.
    """
    notice = _Indicator(show, every, changed or asyncio.Event())
    waiting = asyncio.get_running_loop().call_later(_DELAY_S, notice.begin)  # most answers are ready before

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


class _Indicator:
    """Shows the indicator repeatedly; `calls` holds for each call whether it returned."""

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
            # Wait for a running call: if cancelled, it could still arrive after the answer.
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
        except Exception as error:  # noqa: BLE001 (cosmetic: the answer goes on without it)
            _log.debug("The typing indicator cannot be shown: %s", error)
