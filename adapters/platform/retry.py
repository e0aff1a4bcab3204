"""Retries calls to a platform or to a busy store."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, TypeVar

from adapters.platform.intake.items import NotKeptError
from adapters.platform.surface import OutOfReachError, TokenRefusedError, TooOftenError
from core.domain.errors import StorageError
from core.domain.pauses import doubling

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

_TRIES_TO_STORE: Final = 3
_FIRST_PAUSE_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long a call is retried: with pauses that double, in seconds; then the whole message after `later`.

    One attempt may take `one_call`, all of them together `total`. New messages wait at most `hold` for missed ones.
    Every `look` seconds the inbox is checked for an operator's changes.
    """

    first: float = 0.5
    longest: float = 8.0
    one_call: float = 30.0
    total: float = 120.0
    later: float = 60.0
    hold: float = 10.0
    look: float = 5.0


has_lease: ContextVar[Callable[[], bool]] = ContextVar("has_lease", default=lambda: True)
"""Whether this process still holds the lease on the current task's work; asked before every call."""


def check_lease() -> None:
    """Raise a StorageError if the lease has expired, since another process may have the work."""
    if not has_lease.get()():
        raise StorageError("The lease has expired.")


async def retried(
    call: Callable[[], Awaitable[Result]],
    policy: RetryPolicy,
    *,
    where: tuple[type[Exception], ...] = (OutOfReachError,),
    tries: float = math.inf,
) -> Result:
    """Repeat a call that raises one of `where`, after the policy's pauses or the platform's own.

    The call must be safe to repeat: it only reads, or the platform recognises the repetition. A rejected token is not
    retried.

    Raises:
        StorageError: the lease has expired, so that another process may be making the call.
    """
    loop = asyncio.get_running_loop()
    until, pauses = loop.time() + policy.total, doubling(policy.first, longest=policy.longest)
    while True:
        check_lease()
        try:
            return await call()
        except where as error:
            asked = error.wait if isinstance(error, TooOftenError) else None
            wait = next(pauses) if asked is None else asked
            tries -= 1
            if isinstance(error, TokenRefusedError) or tries < 1 or loop.time() + wait > until:
                raise
            _log.info("Retrying in %.1f s: %s", wait, error)
        await asyncio.sleep(wait)


async def stored(store: Callable[[], Awaitable[None]], *, later: float) -> None:
    """Store something that the platform sends only once, retrying until the store can be used."""
    pauses = RetryPolicy(first=min(later, _FIRST_PAUSE_S), longest=later, total=math.inf)

    async def store_when_possible() -> None:
        await retried(store, pauses, where=(StorageError,))

    await retried(store_when_possible, pauses, where=(NotKeptError,), tries=_TRIES_TO_STORE)
