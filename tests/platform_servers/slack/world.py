"""What the loopback Slack is made of: people, channels, messages and files, as state without any wire."""

import time
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from tests.platform_servers.markup import as_read
from tests.platform_servers.slack.mentions import pings, shown, unfurled

Json = dict[str, Any]

BOT_SLACKBOT = "USLACKBOT"


class Ids:
    """Ids and timestamps as Slack makes them; each greater than the one before."""

    def __init__(self) -> None:
        self._count = 0
        self._last_us = 0

    def new(self, prefix: str) -> str:
        """An id such as U0A00000001: a letter that tells the kind, then upper-case letters and digits."""
        self._count += 1
        return f"{prefix}0A{self._count:08X}"

    def ts(self, at: datetime | None = None) -> str:
        """A message's `ts`: seconds with six decimals, unique; `at` for one of another time."""
        if at is None:
            self._last_us = moment = max(self._last_us + 1, time.time_ns() // 1000)
        else:
            self._count += 1
            moment = int(at.timestamp()) * 1_000_000 + self._count
        return f"{moment // 1_000_000}.{moment % 1_000_000:06d}"


class ChannelKind(StrEnum):
    """As `channel_type` of a message event writes it."""

    PUBLIC = "channel"
    PRIVATE = "group"
    GROUP_DM = "mpim"
    DM = "im"


@dataclass(slots=True, eq=False, kw_only=True)
class Person:
    """Somebody, or a bot's user; `bot_id` and `app_id` are for bots."""

    id: str
    name: str
    display_name: str = ""
    is_admin: bool = False
    is_owner: bool = False
    is_bot: bool = False
    is_deleted: bool = False
    is_restricted: bool = False
    bot_id: str = ""
    app_id: str = ""
    locale: str = "en-US"

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False, kw_only=True)
class File:
    """A file; `access` is "visible", or "check_file_info" as in channels shared with other workspaces.

    What the app uploads has no bytes at first, and stands nowhere until it says that the upload is complete.
    """

    id: str
    name: str
    data: bytes
    mimetype: str
    owner: Person
    path: str
    url: str
    created: int
    access: str = "visible"
    mode: str = "hosted"
    size: int = 0
    alt_text: str = ""
    is_uploaded: bool = True
    channels: "list[Channel]" = field(default_factory=list)
    is_deleted: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Channel:
    """A channel or a DM."""

    id: str
    kind: ChannelKind
    name: str = ""
    members: list[Person] = field(default_factory=list)
    creator: Person | None = None
    messages: "dict[str, Message]" = field(default_factory=dict)
    ephemerals: "list[Message]" = field(default_factory=list)
    is_archived: bool = False

    @property
    def history(self) -> "list[Message]":
        """What stands in the channel, threads included, oldest first."""
        return [self.messages[key] for key in sorted(self.messages)]

    @property
    def texts(self) -> list[str]:
        """What a reader sees in the channel, threads included, oldest first."""
        return [message.content for message in self.history]

    def thread(self, thread_ts: str) -> "list[Message]":
        """A message and the replies to it, oldest first."""
        return [one for one in self.history if thread_ts in (one.ts, one.thread_ts)]


@dataclass(slots=True, eq=False, kw_only=True)
class Message:
    """A message. `versions` are its bodies, the present one last; `private_to` is for ephemeral ones.

    `text` is what was given as text, only the fallback where there are blocks; `content` is what a reader sees.
    `steps` are those of a message that is streamed.
    `is_shown` is false for an ephemeral message in a thread without replies: Slack takes it and shows nothing.
    """

    ts: str
    channel: Channel
    author: Person
    versions: list[Json]
    thread_ts: str | None = None
    subtype: str | None = None
    username: str | None = None
    broadcast: bool = False
    files: list[File] = field(default_factory=list)
    metadata: Json | None = None
    options: Json = field(default_factory=dict)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    private_to: Person | None = None
    is_shown: bool = True
    client_msg_id: str | None = None
    edited_ts: str | None = None
    is_deleted: bool = False
    steps: dict[str, Json] = field(default_factory=dict)
    is_streaming: bool = False

    @property
    def body(self) -> Json:
        """text, blocks and attachments as they are now."""
        return self.versions[-1]

    @property
    def text(self) -> str:
        return str(self.body.get("text", ""))

    @property
    def blocks(self) -> list[Json]:
        return list(self.body.get("blocks", []))

    @property
    def content(self) -> str:
        """What a reader sees: the words of the blocks where there are any, else the text; bold words without marks."""
        return as_read(shown(self.body))

    @property
    def contents(self) -> list[str]:
        """Every content that it had, the present one last."""
        return [shown(one) for one in self.versions]

    @property
    def is_edited(self) -> bool:
        return self.edited_ts is not None

    @property
    def is_ephemeral(self) -> bool:
        return self.private_to is not None

    @property
    def root_ts(self) -> str:
        """The thread that it stands in, or would open."""
        return self.thread_ts or self.ts

    @property
    def pings(self) -> set[str]:
        """Whom it notifies: ids of people and groups, and "channel", "here", "everyone"; of every version."""
        return set().union(*(pings(one, self.options) for one in self.versions))

    @property
    def unfurls(self) -> bool:
        """Whether Slack would show a preview of a link in it."""
        return unfurled(self.body, self.options)
