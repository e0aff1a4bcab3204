"""Fetches what was said while the bot was away, as far as Slack gives it: channels, and the threads known in them."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from adapters.slack.calls import RefusedError
from adapters.slack.listening import order_of, place_of, ts_of
from adapters.slack.workspace import Workspace

_log = logging.getLogger(__name__)

_MOST_CHANNELS: Final = 40
_MOST_THREADS: Final = 40
_A_PAGE: Final = 200
_THREAD_DAYS: Final = 7
_SECOND: Final = 1_000_000
_KINDS: Final = "public_channel,private_channel,mpim,im"
_PARTS_OF_THREAD: Final = 3

Hear = Callable[[dict[str, Any]], Awaitable[None]]


class Missed:
    """Reads the history of the channels that the bot is in, and of the threads in which it heard somebody lately.

    What is beyond one page of a channel, of two hundred messages, stays missed: Slack gives few calls a minute.
    """

    def __init__(self, workspace: Workspace, *, hours: int) -> None:
        self._workspace = workspace
        self._calls = workspace.calls
        self._team_id = workspace.me.team_id
        self._hours = hours

    async def fetch(self, latest: Mapping[str, int], last_alive: int, hear: Hear) -> None:
        """Hand over every message after the latest known ones, the oldest of each place first.

        A bot that never heard anything is new here, and does not dig in what was said before it came.
        """
        if not last_alive:
            return
        oldest = int((time.time() - self._hours * 3600) * _SECOND)
        done: set[str] = set()
        for channel in await self._channels(latest):
            after = max(latest.get(place_of(self._team_id, channel, None), last_alive), oldest)
            for message in await self._history(channel, oldest):
                ts = str(message["ts"])
                if order_of(ts) > after:
                    await hear(message)
                thread = place_of(self._team_id, channel, ts)
                done.add(thread)
                after_thread = max(latest.get(thread, last_alive), oldest)
                if order_of(str(message.get("latest_reply") or "0")) > after_thread:
                    await self._hear_thread(channel, ts, after_thread, hear)
        for thread, last in self._lately(latest):
            if thread not in done:
                _, channel, thread_ts = thread.split("/")
                await self._hear_thread(channel, thread_ts, max(last, oldest), hear)

    async def _channels(self, latest: Mapping[str, int]) -> list[str]:
        """Return the channels that the bot is in, those first in which it was spoken to last."""
        answer = await self._calls.ask(
            self._calls.client.users_conversations, types=_KINDS, exclude_archived=True, limit=_A_PAGE
        )
        known: dict[str, int] = {}
        for place, last in latest.items():
            team_id, channel, *_ = place.split("/")
            if team_id == self._team_id:
                known[channel] = max(last, known.get(channel, 0))
        channels = [str(one["id"]) for one in answer.get("channels", [])]
        allowed = [channel for channel in channels if self._workspace.is_allowed(channel)]
        return sorted(allowed, key=lambda channel: known.get(channel, 0), reverse=True)[:_MOST_CHANNELS]

    def _lately(self, latest: Mapping[str, int]) -> list[tuple[str, int]]:
        """Return the threads in which somebody was heard of late, the latest first."""
        since = int((time.time() - _THREAD_DAYS * 86_400) * _SECOND)
        threads = [
            (place, last)
            for place, last in latest.items()
            if len(place.split("/")) == _PARTS_OF_THREAD and place.startswith(f"{self._team_id}/") and last > since
        ]
        return sorted(threads, key=lambda one: one[1], reverse=True)[:_MOST_THREADS]

    async def _history(self, channel: str, oldest: int) -> list[dict[str, Any]]:
        window = {"oldest": ts_of(oldest), "limit": _A_PAGE}
        try:
            answer = await self._calls.ask(self._calls.client.conversations_history, channel=channel, **window)
        except RefusedError as error:
            _log.warning("What was missed in channel %s cannot be fetched: %s", channel, error)
            return []
        found = [{**message, "channel": channel} for message in answer.get("messages", [])]
        return sorted(found, key=lambda message: order_of(str(message["ts"])))

    async def _hear_thread(self, channel: str, thread_ts: str, after: int, hear: Hear) -> None:
        window = {"oldest": ts_of(after), "limit": _A_PAGE}
        try:
            answer = await self._calls.ask(
                self._calls.client.conversations_replies, channel=channel, ts=thread_ts, **window
            )
        except RefusedError as error:
            _log.warning("What was missed in a thread of channel %s cannot be fetched: %s", channel, error)
            return
        for message in answer.get("messages", []):
            if message.get("ts") != thread_ts and order_of(str(message["ts"])) > after:
                await hear({**message, "channel": channel})
