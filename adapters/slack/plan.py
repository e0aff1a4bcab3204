"""The steps of a turn in a streaming message, which becomes the answer (https://docs.slack.dev/ai/agent-sessions).

Slack shows a stop button while the session of the thread is `processing`.
"""

from contextlib import suppress
from typing import Any

from adapters.platform.placeholder import Placeholder
from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.calls import SlackCalls
from adapters.slack.render import Spot, fallback
from core.answering.steps import TurnSteps


class StreamedPlan(Placeholder[str]):
    """The plan of one turn, by its `ts`; Slack shows it to the asker as it grows, and to others at the end.

    Args:
        calls: Slack's Web API.
        spot: where the answer will be.
        steps: the steps.
        reader: the ids of the asker and of their workspace.
    """

    def __init__(self, calls: SlackCalls, spot: Spot, *, steps: TurnSteps, reader: dict[str, str]) -> None:
        super().__init__(self._start, self._withdraw)
        self._calls = calls
        self._spot = spot
        self._steps = steps
        self._reader = reader
        self.ts: str | None = None

    def chunks(self, *, done: bool) -> list[dict[str, Any]]:
        """Return the steps; Slack shows an error where one is still in progress at the end."""
        last = len(self._steps.steps) - 1
        return [
            {
                "type": "task_update",
                "id": str(number),
                "title": fallback(step),
                "status": "complete" if done or number < last else "in_progress",
            }
            for number, step in enumerate(self._steps.steps)
        ]

    async def grow(self) -> None:
        """Show the steps since."""
        with suppress(OutOfReachError, RefusedError):  # the whole plan goes with the answer
            append = self._calls.client.chat_appendStream
            await self._calls.at_once(append, channel=self._spot.channel, ts=self.ts, chunks=self.chunks(done=False))

    async def _start(self) -> str:
        spot, client = self._spot, self._calls.client
        if spot.thread_ts is None:
            raise RefusedError("a plan needs a thread")
        started = await self._calls.at_once(
            client.chat_startStream,
            channel=spot.channel,
            thread_ts=spot.thread_ts,
            task_display_mode="plan",
            chunks=self.chunks(done=False),
            **self._reader,
        )
        self.ts = str(started["ts"])
        await self._set_session("processing")
        return self.ts

    async def _withdraw(self, ts: str) -> None:
        where, client = {"channel": self._spot.channel, "ts": ts}, self._calls.client
        with suppress(OutOfReachError, RefusedError):  # Slack may have ended it: after five minutes, or at its button
            await self._calls.at_once(client.chat_stopStream, **where, chunks=self.chunks(done=True))
        await self._set_session("active")
        await self._calls.at_once(client.chat_delete, **where)

    async def _set_session(self, status: str) -> None:
        with suppress(OutOfReachError, RefusedError):
            method, spot = self._calls.client.agents_sessions_setStatus, self._spot
            await self._calls.at_once(method, channel_id=spot.channel, thread_ts=spot.thread_ts, status=status)
