"""How long a call to a platform, or to a busy store, is tried again, and the one loop that tries it."""

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
    """How long a call is tried again: pauses that double, in seconds; then the whole message, `later`.

    One attempt may take `one_call`, all of them together `total`. What is heard waits `hold` seconds at most for what
    was missed before it. Every `look` seconds it is looked what an operator has changed.
    """

    first: float = 0.5
    longest: float = 8.0
    one_call: float = 30.0
    total: float = 120.0
    later: float = 60.0
    hold: float = 10.0
    look: float = 5.0


has_lease: ContextVar[Callable[[], bool]] = ContextVar("has_lease", default=lambda: True)
"""Whether what this task works on is still this process's: asked before every call, which may be long after a check."""


def check_lease() -> None:
    """Raise a StorageError if the lease on what is worked on has run out, so that another process may have it."""
    if not has_lease.get()():
        raise StorageError("The lease has run out.")


async def retried(
    call: Callable[[], Awaitable[Result]],
    policy: RetryPolicy,
    *,
    where: tuple[type[Exception], ...] = (OutOfReachError,),
    tries: float = math.inf,
) -> Result:
    """Make a call again where it raises one of `where`: after the policy's pauses, or when the platform says.

    The call must be one that may be made twice: it asks, or the platform tells the second one from the first. A token
    that is not taken any more is no reason to try again.

    Raises:
        StorageError: the lease on what is worked on has run out, so that another process may be making the call.
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
            _log.info("Once more in %.1f s: %s", wait, error)
        await asyncio.sleep(wait)


async def stored(store: Callable[[], Awaitable[None]], *, later: float) -> None:
    """Have something stored that the platform tells of but once, as soon as the store is of use."""
    pauses = RetryPolicy(first=min(later, _FIRST_PAUSE_S), longest=later, total=math.inf)

    async def store_at_last() -> None:
        await retried(store, pauses, where=(StorageError,))

    await retried(store_at_last, pauses, where=(NotKeptError,), tries=_TRIES_TO_STORE)
