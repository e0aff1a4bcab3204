"""Restarts a failed connection, with growing pauses, until stopped."""

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
    """Pauses that double from `first` to `longest` seconds; an attempt that lasted `steady` seconds resets them."""

    first: float = 1.0
    longest: float = 60.0
    steady: float = 120.0


async def supervise(
    name: str, attempt: Callable[[], Awaitable[None]], *, stopping: asyncio.Event, backoff: Backoff
) -> None:
    """Repeat an attempt until the event is set; a running attempt is left to its caller.

    Raises:
        ThusfarError: the attempt failed permanently.
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
    """Make one attempt, and log its end unless it was stopped."""
    try:
        await attempt()
    except StorageError as error:
        _log.warning("%s: %s", name, error)
    except ThusfarError:
        raise
    except Exception as error:  # noqa: BLE001 (a library may raise anything on an unexpected event)
        if not stopping.is_set():
            # These are usually bugs of a library on an unusual event; the location helps.
            known = isinstance(error, OSError)
            _log.warning("%s: %s: %s", name, type(error).__name__, error, exc_info=None if known else error)
    else:
        if not stopping.is_set():
            _log.warning("The connection to %s ended.", name)
