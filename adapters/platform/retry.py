"""How long a call to a platform, or to a busy store, is tried again, and the trying."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from adapters.platform.intake.arrivals import NotKeptError
from core.domain.errors import StorageError

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

_TRIES_TO_STORE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long a call is tried again: pauses that double, in seconds; then the whole message, `later`.

    What is heard waits `hold` seconds at most for what was missed before it.
    """

    first: float = 0.5
    longest: float = 8.0
    one_call: float = 30.0
    total: float = 120.0
    later: float = 60.0
    hold: float = 3.0


async def stored(store: Callable[[], Awaitable[None]], *, later: float) -> None:
    """Have something stored that the platform tells of but once: what a busy store did not take is tried again."""
    for _ in range(_TRIES_TO_STORE - 1):
        try:
            return await store()
        except (NotKeptError, StorageError) as error:
            _log.warning("Not stored, and tried again in %.0f s: %s", later, error)
        await asyncio.sleep(later)
    return await store()


async def retried(
    call: Callable[[], Awaitable[Result]],
    retry: RetryPolicy,
    *,
    platform: str,
    where: tuple[type[Exception], ...],
) -> Result:
    """Try a call again where it was lost on the way: where it raises one of `where`.

    The call must be one that may be made twice: it asks, or the platform tells the second one from the first.
    """
    loop = asyncio.get_running_loop()
    until, pause = loop.time() + retry.total, retry.first
    while True:
        try:
            async with asyncio.timeout(retry.one_call):
                return await call()
        except where as error:
            if loop.time() + pause > until:
                raise
            _log.info("%s cannot be reached (%s); once more in %.1f s.", platform, type(error).__name__, pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, retry.longest)
