"""Converts Slack's events to messages that the inbox can store; messages that can't concern the bot are skipped."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from adapters.platform.intake.items import kept_fields, known_fields
from adapters.slack.people import PLATFORM
from adapters.slack.render import Spot, people_in, without_bot
from core.domain.clean_text import clean
from core.domain.inbound import InboundEvent
from core.domain.thread import Thread
from core.understanding.listening import Addressing

SLACKBOT: Final = "USLACKBOT"
_HUMAN: Final = frozenset({None, "", "file_share", "thread_broadcast"})
_DIRECT: Final = "dm"
_GROUP_MENTION: Final = re.compile(r"<!(?:channel|here|everyone|subteam\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """A member's message with everything needed to answer it, even after a restart."""

    team_id: str
    channel_id: str
    ts: str
    thread_ts: str | None
    author_id: str
    text: str
    mentions_bot: bool
    is_direct: bool
    parent_is_bot: bool
    mentions_other: bool = False
    files: Sequence[str] = ()
    pastes: Sequence[str] = ()
    only_shows: bool = False

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Return a message from its stored payload."""
        return cls(**known_fields(cls, payload))

    @property
    def ref(self) -> str:
        """The message's permanent id, the same in both events of a post and in every delivery."""
        return ref_of(self.team_id, self.channel_id, self.ts)

    @property
    def member_id(self) -> str:
        """Core's id of the writer."""
        return f"{PLATFORM}:{self.author_id}"

    @property
    def order(self) -> int:
        """The time of the message in microseconds."""
        return order_of(self.ts)

    @property
    def spot(self) -> Spot:
        """The channel or thread of the message."""
        return Spot(channel=self.channel_id, thread_ts=self.thread_ts)

    @property
    def event(self) -> InboundEvent:
        """The event to store; a thread is a place of its own, so that its missed messages can be requested."""
        place = place_of(self.team_id, self.channel_id, self.thread_ts)
        return InboundEvent(platform=PLATFORM, place=place, message_id=self.ts, payload=kept_fields(self), ref=self.ref)

    @property
    def key(self) -> str:
        """The thread of the message; a mention in a channel will open one."""
        if self.is_direct:
            return self.channel_id
        return place_of(self.team_id, self.channel_id, self.thread_ts or self.ts)

    def with_text(self, text: str) -> Self:
        """Return a copy with another text, as after an edit."""
        return replace(self, text=text)

    def heard(self, *, in_opened_thread: bool) -> Addressing:
        """Return how the message addresses the bot and others."""
        return Addressing(
            mentions_bot=self.mentions_bot,
            mentions_other=self.mentions_other,
            in_thread=self.thread_ts is not None and not self.is_direct,
            thread_opened_by_bot=in_opened_thread,
            is_direct=self.is_direct,
        )


def said_by(event: Mapping[str, Any], *, team_id: str, bot_id: str) -> SlackMessage | None:
    """Return a human's message from a `message` or `app_mention` event, or from a channel's history.

    Returns None for bots, Slack's own messages, edits and the like, and for channel messages that don't address the
    bot, which are not stored.
    """
    author, channel, ts = event.get("user"), event.get("channel"), event.get("ts")
    if event.get("bot_id") or event.get("subtype") not in _HUMAN or not (author and channel and ts):
        return None
    if author in (bot_id, SLACKBOT):
        return None
    text = clean(event.get("text"))
    shared = [one for one in event.get("files") or () if isinstance(one, dict) and one.get("id")]
    files = [one for one in shared if not str(one.get("mimetype")).startswith("audio/")]
    thread_ts = event.get("thread_ts")
    thread_ts = None if thread_ts == ts or not thread_ts else str(thread_ts)
    mentioned = f"<@{bot_id}>" in text or f"<@{bot_id}|" in text
    said = SlackMessage(
        team_id=team_id,
        channel_id=str(channel),
        ts=str(ts),
        thread_ts=thread_ts,
        author_id=str(author),
        text=without_bot(text, bot_id),
        mentions_bot=mentioned or event.get("type") == "app_mention",
        mentions_other=bool(people_in(text) - {bot_id}) or _GROUP_MENTION.search(text) is not None,
        is_direct=is_direct(str(channel), event.get("channel_type")),
        parent_is_bot=event.get("parent_user_id") == bot_id,
        files=[str(one["id"]) for one in files if not _is_paste(one)],
        pastes=[str(one["id"]) for one in files if _is_paste(one)],
        only_shows=not text and not files,
    )
    is_idle = said.thread_ts is None and not said.is_direct and not said.mentions_bot
    return None if is_idle else said


def _is_paste(file: Mapping[str, Any]) -> bool:
    """Whether a file is a snippet, which Slack makes of a text that is too long for a message."""
    return file.get("mode") == "snippet"


def thread_of(team_id: str, channel_id: str, thread_ts: str | None, *, user_id: str, direct: bool) -> Thread:
    """Return core's thread for a place; a DM is a reading of the member's own."""
    if direct:
        return Thread(scope=f"{PLATFORM}:dm:{team_id}:{user_id}", place=_DIRECT, thread=_DIRECT)
    return Thread(scope=scope_of(team_id), place=channel_id, thread=thread_ts or "")


def scope_of(team_id: str) -> str:
    """Return the scope of a workspace."""
    return f"{PLATFORM}:{team_id}"


def is_direct(channel_id: str, channel_type: str | None = None) -> bool:
    """Whether a channel is a DM with the bot."""
    return channel_type == "im" or channel_id.startswith("D")


def ref_of(team_id: str, channel_id: str, ts: str) -> str:
    """Return the permanent id of a message."""
    return f"{PLATFORM}:{team_id}:{channel_id}:{ts}"


def place_of(team_id: str, channel_id: str, thread_ts: str | None) -> str:
    """Return the inbox's name for a place."""
    return "/".join(part for part in (team_id, channel_id, thread_ts) if part)


def order_of(ts: str) -> int:
    """Return a `ts` in microseconds."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * 1_000_000 + int((rest + "000000")[:6])


def ts_of(order: int) -> str:
    """Return the `ts` of a time in microseconds."""
    return f"{order // 1_000_000}.{order % 1_000_000:06d}"
