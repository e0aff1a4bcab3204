"""Retries for model calls; the SDKs' own are off, so that one time budget covers a turn."""

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
    """Make a call, retrying temporary errors within the turn's time budget.

    `call` gets the remaining seconds and raises LLMError. A `retry_after` that doesn't fit into the budget is raised at
    once, with the time to wait. A LastingLLMError is never retried.

    Raises:
        LLMError: the last error, or `timeout` when the time is over.
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
            # If a server asks for a wait of 0, the usual wait is used.
            wait = error.retry_after or usual
            lasting = isinstance(error, LastingLLMError) or error.code not in _PASSING
            if lasting or not budget.take_retry(wait=wait):
                raise
            _log.info("A model call failed (%s); retrying in %.1f s.", error, wait)
            await sleep(wait)


def _jittered(wait: float) -> float:
    """Return up to a quarter less than the wait, as the SDKs do, so that callers don't retry at the same moment."""
    return wait * random.uniform(0.75, 1.0)  # noqa: S311 (no secret)
