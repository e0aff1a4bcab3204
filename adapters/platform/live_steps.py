"""Steps that `doctor --live` takes on a platform, one after another: each becomes a line of its report."""

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
    """Takes steps; one that fails is told in a sentence with the right that it needs, and the next ones go on.

    Args:
        platform: the first word of each line.
        why: says what an error of the platform means, in a few words without secrets.
    """

    def __init__(self, platform: str, why: Callable[[Exception], str]) -> None:
        self.checks: list[Check] = []
        self._platform = platform
        self._why = why

    async def take(self, step: str, work: Awaitable[Result], *, needs: str) -> Result | None:
        """Return what came of a step; None where it failed."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(STEP_S):  # a library waits out a limit, however long
                result = await work
        except Exception as error:  # noqa: BLE001 (a doctor reports what it finds, whatever it is)
            _log.debug("The step %s failed.", step, exc_info=error)
            why = f"no answer in {STEP_S:g} s" if isinstance(error, TimeoutError) else self._why(error)
            self.checks.append((f"{self._platform} live", False, f"{step}: {why}. It needs {needs}."))
            return None
        self.checks.append((f"{self._platform} live", True, f"{step}: done in {time.monotonic() - began:.1f} s"))
        return result
