"""A message that appears when an answer takes long, and becomes the answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeVar

_log = logging.getLogger(__name__)

MessageT = TypeVar("MessageT")


class Placeholder(Generic[MessageT]):
    """The message of one turn; where it can't be posted, the answer comes without it.

    Args:
        post: posts it.
        remove: deletes it.
    """

    def __init__(
        self, post: Callable[[], Coroutine[Any, Any, MessageT]], remove: Callable[[MessageT], Awaitable[object]]
    ) -> None:
        self._post = post
        self._remove = remove
        self._waiting: asyncio.TimerHandle | None = None
        self._posting: asyncio.Task[MessageT] | None = None

    @asynccontextmanager
    async def after(self, seconds: float) -> AsyncIterator[None]:
        """Post it once the block has run for so long; at the end remove it, unless it was taken."""
        self._waiting = asyncio.get_running_loop().call_later(seconds, self._begin)
        try:
            yield
        finally:
            await self.remove(await self.taken())

    async def taken(self) -> MessageT | None:
        """Return the message, which is the caller's from now on; None if there is none. None is posted after this."""
        if self._waiting is not None:
            self._waiting.cancel()
        posting, self._posting = self._posting, None
        try:
            return None if posting is None else await posting
        except Exception as error:  # noqa: BLE001 (cosmetic: the answer goes on without it)
            _log.info("Nothing could be shown while an answer was written: %s", error)
            return None

    async def remove(self, message: MessageT | None) -> None:
        """Delete it, if there is one."""
        try:
            if message is not None:
                await self._remove(message)
        except Exception as error:  # noqa: BLE001 (as above)
            _log.info("What was shown while an answer was written could not be removed: %s", error)

    def _begin(self) -> None:
        self._posting = asyncio.create_task(self._post())
