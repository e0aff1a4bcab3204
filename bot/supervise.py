"""Keeps what serves alive: an attempt that ends is made again, later and later; until it is told to stop."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.domain.errors import StorageError, ThusfarError
from core.domain.pauses import doubling

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Pauses that double from `first` to `longest` seconds; an attempt that held for `steady` begins anew."""

    first: float = 1.0
    longest: float = 60.0
    steady: float = 120.0


async def supervise(
    name: str, attempt: Callable[[], Awaitable[None]], *, stopping: asyncio.Event, backoff: Backoff
) -> None:
    """Make an attempt again and again. It is left running when the event comes: whoever started it ends it.

    Raises:
        ThusfarError: the attempt says that waiting mends nothing.
    """
    pauses = doubling(backoff.first, longest=backoff.longest)
    while not stopping.is_set():
        began = time.monotonic()
        await _attempt_once(name, attempt, stopping)
        if time.monotonic() - began > backoff.steady:
            pauses = doubling(backoff.first, longest=backoff.longest)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), next(pauses))


async def _attempt_once(name: str, attempt: Callable[[], Awaitable[None]], stopping: asyncio.Event) -> None:
    """Make one attempt; how it ended is logged, unless it was told to."""
    try:
        await attempt()
    except StorageError as error:
        _log.warning("%s: %s", name, error)
    except ThusfarError:
        raise
    except Exception as error:  # noqa: BLE001 (a library may raise anything on an event that it did not expect)
        if not stopping.is_set():
            # A library's own fault on a strange event is one of these; its place is worth knowing.
            known = isinstance(error, OSError)
            _log.warning("%s: %s: %s", name, type(error).__name__, error, exc_info=None if known else error)
    else:
        if not stopping.is_set():
            _log.warning("The connection to %s ended.", name)
