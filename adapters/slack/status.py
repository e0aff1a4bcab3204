"""The status line under a thread while an answer is written (assistant.threads.setStatus)."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.platform.typing_indicator import Stop, shown_while
from adapters.slack.calls import SlackCalls
from adapters.slack.plan import StreamedPlan
from adapters.slack.render import Spot
from core.answering.steps import TurnSteps
from core.catalogue.sentences import say, sentence
from core.domain.chat_event import ChatEvent

_log = logging.getLogger(__name__)

_AT_WORK: Final = sentence("is at work: {step} …")
"""Follows the bot's name."""
_CALL_S: Final = 2.0
_AGAIN_S: Final = 90.0
"""Slack removes the status line by itself after two minutes."""


class Doing:
    """What a turn is doing now."""

    def __init__(self) -> None:
        self.steps = TurnSteps()
        self.changed = asyncio.Event()

    def follow(self, event: ChatEvent) -> None:
        """Update it from an event of the turn."""
        if self.steps.take(event):
            self.changed.set()


class StatusLine:
    """Shows the status line during a turn if the app supports it; after the first refusal it stops trying.

    Clearing it takes at most two seconds, so that the thread's next question does not wait.
    """

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls
        self._is_known = True

    def shown(self, spot: Spot, doing: Doing, plan: StreamedPlan) -> AbstractAsyncContextManager[Stop]:
        """Show the current activity while the block runs, in the plan once there is one.

        Slack removes the line with the answer; without an answer it is cleared.
        """

        async def show() -> None:
            if plan.ts is not None:
                await plan.grow()
            elif spot.thread_ts is not None:
                await self._set(spot, say(_AT_WORK, step=doing.steps.steps[-1]))

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
