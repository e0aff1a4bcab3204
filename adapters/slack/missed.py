"""Fetches what was said while the bot was away, as far as Slack gives it: channels, and the threads known in them."""

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
    """Which thread is read first: what the bot has to do with, then what is livelier."""

    is_ours: bool
    last: int


class SlackHistory:
    """Reads the history of the channels that the bot is in, and of the threads in which it heard somebody in a month.

    Slack gives few calls a minute: the liveliest places come first, and what is heard meanwhile waits for none of it.
    """

    def __init__(self, workspace: Workspace, *, hours: int) -> None:
        self._workspace = workspace
        self._calls = workspace.calls
        self._team_id = workspace.me.team_id
        self._hours = hours

    async def fetch(self, latest: Mapping[str, int], after: int, hear: Hear) -> None:
        """Hand over every message after that order, the oldest of each place first.

        `latest` are the places of the inbox, each with the order of the last that was heard there. A bot that never
        heard anything is new here, and does not dig in what was said before it came.

        Raises:
            NotAllReadError: Slack was out of reach for some of it; the rest has been handed over.
        """
        if not after:
            return
        oldest = int((time.time() - self._hours * 3600) * _SECOND)
        look = _ThreadLook(after=max(after, oldest), hear=hear)
        threads = {place: _Rank(is_ours=True, last=last) for place, last in self._lately(latest)}
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
        """Return the channels that the bot is in, those first in which it was spoken to last."""
        method = self._calls.client.users_conversations
        try:
            found = await self._calls.pages(method, "channels", types=_KINDS, exclude_archived=True)
        except RefusedError as error:
            _log.warning("What was missed cannot be fetched: %s", error)
            return []
        known: dict[str, int] = {}
        for place, last in latest.items():
            team_id, channel, *_ = place.split("/")
            if team_id == self._team_id:
                known[channel] = max(last, known.get(channel, 0))
        channels = [str(one["id"]) for one in found]
        allowed = [channel for channel in channels if self._workspace.is_allowed(channel)]
        return sorted(allowed, key=lambda channel: known.get(channel, 0), reverse=True)

    def _lately(self, latest: Mapping[str, int]) -> list[tuple[str, int]]:
        """Return the threads in which somebody was heard in the last month."""
        since = int((time.time() - _THREAD_DAYS * 86_400) * _SECOND)
        return [
            (place, last)
            for place, last in latest.items()
            if len(place.split("/")) == _PARTS_OF_THREAD and place.startswith(f"{self._team_id}/") and last > since
        ]

    async def _history(self, channel: str, look: "_ThreadLook") -> list[dict[str, Any]]:
        """Return what stands in a channel: all that is new there, and at least a page, for its older threads.

        However old: somebody may speak for the first time in a thread that began with a mention long ago.
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
        """Return what was said, the oldest first; nothing where it may not be read, or cannot be for now."""
        where = f"a thread of channel {channel}" if "ts" in window else f"channel {channel}"
        try:
            read = partial(method, channel=channel, **window)
            found = await self._calls.pages(read, "messages", enough=enough)
        except RefusedError as error:
            _log.warning("What was missed in %s is not to be seen: %s", where, error)
            return []
        except OutOfReachError as error:
            _log.warning("What was missed in %s cannot be fetched: %s", where, error)
            look.unread.append(where)
            return []
        return sorted(
            ({**message, "channel": channel} for message in found), key=lambda message: order_of(str(message["ts"]))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ThreadLook:
    """One look at all places: what comes `after` is new."""

    after: int
    hear: Hear
    unread: list[str] = field(default_factory=list)

    def is_known(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is none that was missed."""
        return order_of(str(message["ts"])) <= self.after
