"""Work that runs side by side, and work that must have the process to itself: then it is known who ended it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Solitude:
    """Whoever wants to be alone waits until all others are done; what comes meanwhile waits for them."""

    def __init__(self) -> None:
        self._beside = 0
        self._want_alone = 0
        self._is_alone = False
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def beside_others(self) -> AsyncIterator[None]:
        """Run beside what else does."""
        await self._until(lambda: not (self._is_alone or self._want_alone))
        self._beside += 1
        try:
            yield
        finally:
            self._beside -= 1
            self._changed.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Run with nothing else beside it."""
        self._want_alone += 1
        try:
            await self._until(lambda: not (self._is_alone or self._beside))
            self._is_alone = True
        finally:
            self._want_alone -= 1
            self._changed.set()
        try:
            yield
        finally:
            self._is_alone = False
            self._changed.set()

    async def _until(self, is_free: Callable[[], bool]) -> None:
        while not is_free():
            self._changed.clear()
            await self._changed.wait()
