"""The line under a thread that says that an answer is being written (assistant.threads.setStatus)."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.platform.typing_indicator import Stop, shown_while
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot

_log = logging.getLogger(__name__)

_WORKING: Final = "is leafing through the pages read so far …"
_CALL_S: Final = 2.0
_AGAIN_S: Final = 90.0
"""Slack takes the line away by itself after two minutes."""


class StatusLine:
    """Shows the line while a turn is under way, where the app has it; the first refusal is the last attempt.

    To clear it takes two seconds at most, so that the next question in the thread does not wait for long.
    """

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls
        self._is_known = True

    def shown(self, spot: Spot) -> AbstractAsyncContextManager[Stop]:
        """Show it while the block runs; Slack takes it away with the answer, and where none comes, we do."""

        async def show() -> None:
            if spot.thread_ts is not None:
                await self._set(spot, _WORKING)

        async def clear() -> None:
            if spot.thread_ts is not None:
                await self._set(spot, "")

        return shown_while(show, every=_AGAIN_S, clear=clear)

    async def _set(self, spot: Spot, status: str) -> None:
        if not self._is_known:
            return
        method = self._calls.client.assistant_threads_setStatus
        try:
            async with asyncio.timeout(_CALL_S):
                await self._calls.at_once(method, channel_id=spot.channel, thread_ts=spot.thread_ts, status=status)
        except RefusedError as error:
            self._is_known = False
            _log.info("This app has no status line (%s).", error)
        except (OutOfReachError, TimeoutError) as error:
            _log.debug("The status line could not be set: %s", error)
