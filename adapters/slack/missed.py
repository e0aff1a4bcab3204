"""Fetches what was said while the bot was away, as far as Slack gives it: channels, and the threads known in them."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adapters.platform.surface import RefusedError
from adapters.slack.calls import Method
from adapters.slack.listening import order_of, place_of, ts_of
from adapters.slack.workspace import Workspace

_log = logging.getLogger(__name__)

_MOST_CHANNELS: Final = 40
_MOST_THREADS: Final = 40
_MOST_PAGES: Final = 5
_THREAD_DAYS: Final = 7
_SECOND: Final = 1_000_000
_KINDS: Final = "public_channel,private_channel,mpim,im"
_PARTS_OF_THREAD: Final = 3

Hear = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thread:
    """After what something may be missing; of higher rank is what the bot has to do with, then what is livelier."""

    after: int
    rank: tuple[bool, int]


class Missed:
    """Reads the history of the channels that the bot is in, and of the threads in which it heard somebody lately.

    What is beyond five pages of a channel or a thread, a thousand messages, stays missed: Slack gives few calls a
    minute.
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
        threads = {place: _Thread(after=max(last, oldest), rank=(True, last)) for place, last in self._lately(latest)}
        for channel in await self._channels(latest):
            after = max(latest.get(place_of(self._team_id, channel, None), last_alive), oldest)
            for message in await self._history(channel, oldest, after):
                ts = str(message["ts"])
                if order_of(ts) > after:
                    await hear(message)
                place = place_of(self._team_id, channel, ts)
                threads.pop(place, None)
                replied = order_of(str(message.get("latest_reply") or "0"))
                after_thread = max(latest.get(place, last_alive), oldest)
                if replied > after_thread:
                    is_ours = place in latest or self._workspace.me.bot_user_id in str(message.get("text"))
                    threads[place] = _Thread(after=after_thread, rank=(is_ours, replied))
        await self._hear_threads(threads, hear)

    async def _channels(self, latest: Mapping[str, int]) -> list[str]:
        """Return the channels that the bot is in, those first in which it was spoken to last."""
        method = self._calls.client.users_conversations
        found, _ = await self._calls.pages(method, "channels", most=_MOST_PAGES, types=_KINDS, exclude_archived=True)
        known: dict[str, int] = {}
        for place, last in latest.items():
            team_id, channel, *_ = place.split("/")
            if team_id == self._team_id:
                known[channel] = max(last, known.get(channel, 0))
        channels = [str(one["id"]) for one in found]
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

    async def _history(self, channel: str, oldest: int, after: int) -> list[dict[str, Any]]:
        """Return what stands in a channel: all that is new there, and at least a page, for its older threads."""
        method = self._calls.client.conversations_history
        return await self._read(method, channel, lambda one: order_of(str(one["ts"])) <= after, oldest=ts_of(oldest))

    async def _hear_threads(self, threads: Mapping[str, _Thread], hear: Hear) -> None:
        first = sorted(threads.items(), key=lambda one: one[1].rank, reverse=True)
        if len(first) > _MOST_THREADS:
            _log.warning("Of %d threads with something new, %d are read.", len(first), _MOST_THREADS)
        for place, thread in first[:_MOST_THREADS]:
            _, channel, thread_ts = place.split("/")
            await self._hear_thread(channel, thread_ts, thread.after, hear)

    async def _hear_thread(self, channel: str, thread_ts: str, after: int, hear: Hear) -> None:
        method = self._calls.client.conversations_replies
        for message in await self._read(method, channel, _never, ts=thread_ts, oldest=ts_of(after)):
            if message.get("ts") != thread_ts and order_of(str(message["ts"])) > after:
                await hear(message)

    async def _read(
        self, method: Method, channel: str, enough: Callable[[dict[str, Any]], bool], **window: str
    ) -> list[dict[str, Any]]:
        """Return what was said, the oldest first; nothing where it may not be read."""
        try:
            found, is_all = await self._calls.pages(
                method, "messages", most=_MOST_PAGES, enough=enough, channel=channel, **window
            )
        except RefusedError as error:
            where = "a thread of " if "ts" in window else ""
            _log.warning("What was missed in %schannel %s cannot be fetched: %s", where, channel, error)
            return []
        if not is_all:
            _log.warning("More was missed in channel %s than is read; some of it stays unanswered.", channel)
        return sorted(
            ({**message, "channel": channel} for message in found), key=lambda message: order_of(str(message["ts"]))
        )


def _never(_: dict[str, Any]) -> bool:
    """All of a thread that is asked for is new."""
    return False
