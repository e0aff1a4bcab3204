"""The steps of `doctor --live` on a platform; each becomes a line of the report."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

Result = TypeVar("Result")
Check = tuple[str, bool, str]

TEXT = "A test by the person who runs this bot. I delete it in a moment."
EDITED = f"{TEXT} (edited)"
STEP_S = 20.0
_log = logging.getLogger(__name__)


class LiveSteps:
    """Runs steps; a failed one is reported with the permission that it needs, and the next ones go on.

    Args:
        platform: the first word of each line.
        why: describes a platform's error in a few words, without secrets.
    """

    def __init__(self, platform: str, why: Callable[[Exception], str]) -> None:
        self.checks: list[Check] = []
        self._platform = platform
        self._why = why

    async def take(self, step: str, work: Awaitable[Result], *, needs: str) -> Result | None:
        """Return the result of a step; None if it failed."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(STEP_S):  # a library waits for a rate limit, however long
                result = await work
        except Exception as error:  # noqa: BLE001 (a doctor reports every failure)
            _log.debug("The step %s failed.", step, exc_info=error)
            why = f"no answer in {STEP_S:g} s" if isinstance(error, TimeoutError) else self._why(error)
            self.checks.append((f"{self._platform} live", False, f"{step}: {why}. It needs {needs}."))
            return None
        self.checks.append((f"{self._platform} live", True, f"{step}: done in {time.monotonic() - began:.1f} s"))
        return result
