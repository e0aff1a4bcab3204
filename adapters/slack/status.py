"""The status line under a thread while an answer is written (assistant.threads.setStatus)."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.platform.typing_indicator import Stop, shown_while
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot
from core.catalogue.sentences import say, sentence
from core.domain.chat_event import ChatEvent, TokenUsageEvent, ToolInvocationEvent, ToolResultEvent

_log = logging.getLogger(__name__)

_WORKING: Final = sentence("is leafing through the pages read so far …")
_SEARCHING: Final = sentence("is searching the pages read so far …")
_CHECKING: Final = sentence("is checking what it wrote …")
_CALL_S: Final = 2.0
_AGAIN_S: Final = 90.0
"""Slack removes the status line by itself after two minutes."""


class Doing:
    """What a turn is doing now, in words that follow the bot's name."""

    def __init__(self) -> None:
        self.words = say(_WORKING)
        self.changed = asyncio.Event()

    def follow(self, event: ChatEvent) -> None:
        """Update it from an event of the turn."""
        words = _words_of(event)
        if words is not None and words != self.words:
            self.words = words
            self.changed.set()


class StatusLine:
    """Shows the status line during a turn if the app supports it; after the first refusal it stops trying.

    Clearing it takes at most two seconds, so that the thread's next question does not wait.
    """

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls
        self._is_known = True

    def shown(self, spot: Spot, doing: "Doing") -> AbstractAsyncContextManager[Stop]:
        """Show the current activity while the block runs; Slack removes it with the answer, otherwise it is cleared."""

        async def show() -> None:
            if spot.thread_ts is not None:
                await self._set(spot, doing.words)

        async def clear() -> None:
            if spot.thread_ts is not None:
                await self._set(spot, "")

        return shown_while(show, every=_AGAIN_S, clear=clear, changed=doing.changed)

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


def _words_of(event: ChatEvent) -> str | None:
    match event:
        case ToolInvocationEvent():
            return say(_SEARCHING)
        case ToolResultEvent(results=[first, *_]):
            return say("is reading p. {page} …", page=first.start_page)
        case TokenUsageEvent():
            return say(_CHECKING)
        case _:
            return None
