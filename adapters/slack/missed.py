"""Fetches messages that were posted while the bot was away, from channels and their known threads."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from adapters.platform.intake.items import NotAllReadError
from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.calls import Method
from adapters.slack.listening import order_of, place_of, ts_of
from adapters.slack.workspace import Workspace

_log = logging.getLogger(__name__)

_THREAD_DAYS: Final = 30
_SECOND: Final = 1_000_000
_KINDS: Final = "public_channel,private_channel,mpim,im"
_PARTS_OF_THREAD: Final = 3

Hear = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Rank:
    """The reading order of threads: first those that concern the bot, then the more recently active."""

    is_ours: bool
    last: int


class SlackHistory:
    """Reads the bot's channels, and the threads in which someone wrote to it within a month.

    Slack allows few calls a minute: the most active places come first, and live messages wait for none of this.
    """

    def __init__(self, workspace: Workspace, *, hours: int) -> None:
        self._workspace = workspace
        self._calls = workspace.calls
        self._team_id = workspace.me.team_id
        self._hours = hours

    async def fetch(self, latest: Mapping[str, int], after: int, hear: Hear) -> None:
        """Pass on every message after that order, oldest first within a place.

        `latest` holds the inbox's places, each with the order of its last message. A bot that never received anything
        is new here and fetches no older messages.

        Raises:
            NotAllReadError: Slack was out of reach for some places; the others have been passed on.
        """
        if not after:
            return
        oldest = int((time.time() - self._hours * 3600) * _SECOND)
        look = _ThreadLook(after=max(after, oldest), hear=hear)
        threads = {place: _Rank(is_ours=True, last=last) for place, last in self._recent_threads(latest)}
        for channel in await self._channels(latest):
            for message in await self._history(channel, look):
                ts = str(message["ts"])
                if order_of(ts) > look.after:
                    await hear(message)
                place = place_of(self._team_id, channel, ts)
                threads.pop(place, None)
                replied = order_of(str(message.get("latest_reply") or "0"))
                if replied > look.after:
                    is_ours = place in latest or self._workspace.me.bot_user_id in str(message.get("text"))
                    threads[place] = _Rank(is_ours=is_ours, last=replied)
        for place in sorted(threads, key=lambda place: threads[place], reverse=True):
            _, channel, thread_ts = place.split("/")
            await self._hear_thread(channel, thread_ts, look)
        if look.unread:
            raise NotAllReadError(f"{len(look.unread)} channels and threads of Slack could not be read")

    async def _channels(self, latest: Mapping[str, int]) -> list[str]:
        """Return the bot's channels, those with the latest messages to it first."""
        method = self._calls.client.users_conversations
        try:
            found = await self._calls.pages(method, "channels", types=_KINDS, exclude_archived=True)
        except RefusedError as error:
            _log.warning("Missed messages cannot be fetched: %s", error)
            return []
        known: dict[str, int] = {}
        for place, last in latest.items():
            team_id, channel, *_ = place.split("/")
            if team_id == self._team_id:
                known[channel] = max(last, known.get(channel, 0))
        channels = [str(one["id"]) for one in found]
        allowed = [channel for channel in channels if self._workspace.is_allowed(channel)]
        return sorted(allowed, key=lambda channel: known.get(channel, 0), reverse=True)

    def _recent_threads(self, latest: Mapping[str, int]) -> list[tuple[str, int]]:
        """Return the threads with a stored message within the last month."""
        since = int((time.time() - _THREAD_DAYS * 86_400) * _SECOND)
        return [
            (place, last)
            for place, last in latest.items()
            if len(place.split("/")) == _PARTS_OF_THREAD and place.startswith(f"{self._team_id}/") and last > since
        ]

    async def _history(self, channel: str, look: "_ThreadLook") -> list[dict[str, Any]]:
        """Return a channel's new messages, and at least one page, which may show older threads.

        Someone may write for the first time in a thread that a mention opened long ago.
        """
        method = self._calls.client.conversations_history
        return await self._read(method, channel, look, enough=look.is_known)

    async def _hear_thread(self, channel: str, thread_ts: str, look: "_ThreadLook") -> None:
        method = self._calls.client.conversations_replies
        for message in await self._read(method, channel, look, ts=thread_ts, oldest=ts_of(look.after)):
            if message.get("ts") != thread_ts and not look.is_known(message):
                await look.hear(message)

    async def _read(
        self,
        method: Method,
        channel: str,
        look: "_ThreadLook",
        *,
        enough: Callable[[dict[str, Any]], bool] = lambda _: False,
        **window: str,
    ) -> list[dict[str, Any]]:
        """Return messages, oldest first; an empty list if they may not be read, or can't be read now."""
        where = f"a thread of channel {channel}" if "ts" in window else f"channel {channel}"
        try:
            read = partial(method, channel=channel, **window)
            found = await self._calls.pages(read, "messages", enough=enough)
        except RefusedError as error:
            _log.warning("The missed messages of %s cannot be seen: %s", where, error)
            return []
        except OutOfReachError as error:
            _log.warning("The missed messages of %s cannot be fetched: %s", where, error)
            look.unread.append(where)
            return []
        return sorted(
            ({**message, "channel": channel} for message in found), key=lambda message: order_of(str(message["ts"]))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ThreadLook:
    """One pass over all places; messages `after` that order are new."""

    after: int
    hear: Hear
    unread: list[str] = field(default_factory=list)

    def is_known(self, message: Mapping[str, Any]) -> bool:
        """Whether a message was not missed."""
        return order_of(str(message["ts"])) <= self.after
