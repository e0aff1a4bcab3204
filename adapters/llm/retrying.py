"""Our own retries: the SDKs' are switched off, so that one budget rules a turn, whatever a server asks us to wait."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from adapters.llm.faults import LastingLLMError
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.pauses import doubling
from core.domain.tool_use import Deadline, TurnLimits

Result = TypeVar("Result")

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0
_PASSING = frozenset(
    {LLMErrorCode.RATE_LIMITED, LLMErrorCode.OVERLOADED, LLMErrorCode.UNAVAILABLE, LLMErrorCode.TIMEOUT}
)
_log = logging.getLogger(__name__)


async def with_retries(
    call: Callable[[float], Awaitable[Result]],
    *,
    deadline: Deadline | None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Result:
    """Make a call, again where the fault may pass and the turn's budget allows it.

    `call` is given the seconds that are left and raises LLMError; a `retry_after` that does not fit into the budget
    ends it at once, with the error that tells how long to wait. A LastingLLMError is never tried again.

    Raises:
        LLMError: the last fault, or `timeout` when the time is over.
    """
    budget = deadline or TurnLimits().deadline()
    waits = doubling(_FIRST_WAIT_S, longest=_LONGEST_WAIT_S)
    while True:
        remaining = budget.remaining()
        if remaining <= 0:
            raise LLMError(LLMErrorCode.TIMEOUT, "the turn's time was over before the call")
        try:
            async with asyncio.timeout(remaining):
                return await call(remaining)
        except TimeoutError:
            raise LLMError(LLMErrorCode.TIMEOUT, f"no answer within {remaining:.1f} s") from None
        except LLMError as error:
            usual = _jittered(next(waits))
            # A server that asks for no wait at all is still given the usual one.
            wait = error.retry_after or usual
            lasting = isinstance(error, LastingLLMError) or error.code not in _PASSING
            if lasting or not budget.take_retry(wait=wait):
                raise
            _log.info("A model call failed (%s); the next try is in %.1f s.", error, wait)
            await sleep(wait)


def _jittered(wait: float) -> float:
    """Return seconds to wait, up to a quarter less, as the SDKs themselves do: not all who wait come back at once."""
    return wait * random.uniform(0.75, 1.0)  # noqa: S311 (no secret)
