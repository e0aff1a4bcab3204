"""What the loopback Discord is made of: people, guilds, channels, threads and messages, as state without any wire."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any

from tests.platform_servers.discord.rights import Overwrite, Right
from tests.platform_servers.markup import as_read

Json = dict[str, Any]

_LONG_AGO = datetime(2024, 2, 29, 12, tzinfo=UTC)
_DISCORD_EPOCH = 1_420_070_400_000
_USER_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")
_LINK = re.compile(r"https?://[^\s<>]+")
_QUIET_LINK = re.compile(r"<https?://[^\s<>]+>")

SUPPRESS_EMBEDS = 1 << 2
HAS_THREAD = 1 << 5
EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15


class Snowflakes:
    """Ids as Discord makes them: the milliseconds since 2015, shifted; each greater than the one before."""

    def __init__(self) -> None:
        self._last = 0
        self._past = 0

    def now(self) -> int:
        self._last = max(self._last + 1, (time.time_ns() // 1_000_000 - _DISCORD_EPOCH) << 22)
        return self._last

    def at(self, moment: datetime) -> int:
        """An id of another time: of two for the same moment, the later one is greater."""
        self._past = (self._past + 1) & 0x3FFFFF
        return (int(moment.timestamp() * 1000) - _DISCORD_EPOCH) << 22 | self._past


def written_at(snowflake: int) -> float:
    """The moment that an id tells, in seconds."""
    return ((snowflake >> 22) + _DISCORD_EPOCH) / 1000


class ChannelKind(IntEnum):
    TEXT = 0
    DM = 1
    VOICE = 2
    ANNOUNCEMENT = 5
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


class MessageKind(IntEnum):
    DEFAULT = 0
    PINNED = 6
    JOINED = 7
    THREAD_CREATED = 18
    REPLY = 19
    COMMAND = 20
    THREAD_STARTER = 21


@dataclass(slots=True, eq=False, kw_only=True)
class Person:
    id: int
    name: str
    is_bot: bool = False

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False, kw_only=True)
class Role:
    id: int
    name: str
    rights: Right
    managed: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Member:
    person: Person
    roles: list[Role]
    nick: str | None = None
    joined: datetime = _LONG_AGO


@dataclass(slots=True, eq=False, kw_only=True)
class Guild:
    """`bot_role` is the role that Discord makes for an application: what the bot may do in this guild."""

    id: int
    name: str
    owner: Person
    everyone: Role
    readers: Role
    bot_role: Role
    members: dict[int, Member] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)


@dataclass(slots=True, eq=False, kw_only=True)
class Channel:
    """A channel, a DM or a thread; `owner_id` and what follows is for threads."""

    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    parent: "Channel | None" = None
    recipients: tuple[Person, ...] = ()
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: "dict[int, Message]" = field(default_factory=dict)
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    auto_archive: int = 1440
    joined: set[int] = field(default_factory=set)

    @property
    def is_thread(self) -> bool:
        return self.kind in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)

    @property
    def texts(self) -> list[str]:
        """What stands in the channel, oldest first."""
        return [message.content for message in self.history]

    @property
    def history(self) -> "list[Message]":
        return [self.messages[key] for key in sorted(self.messages)]


@dataclass(slots=True, frozen=True, eq=False, kw_only=True)
class Attachment:
    id: int
    filename: str
    data: bytes
    content_type: str
    url: str
    description: str = ""


@dataclass(slots=True, eq=False, kw_only=True)
class Message:
    """A message; `contents` is every text that it had, the present one last."""

    id: int
    channel: Channel
    author: Person
    contents: list[str]
    kind: MessageKind = MessageKind.DEFAULT
    reference: Json | None = None
    reply_to: "Message | None" = None
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    allowed_mentions: Json | None = None
    pings_everyone_by_default: bool = True
    reactions: dict[str, list[int]] = field(default_factory=dict)
    webhook_id: int | None = None
    interaction_id: int | None = None
    asked_by: Person | None = None
    is_edited: bool = False
    is_deleted: bool = False
    thread: Channel | None = None

    @property
    def content(self) -> str:
        """What a reader sees: words in bold without their marks."""
        return as_read(self.contents[-1])

    @property
    def is_system(self) -> bool:
        """Whether Discord wrote it, in somebody's name."""
        return self.kind not in (MessageKind.DEFAULT, MessageKind.REPLY, MessageKind.COMMAND)

    @property
    def is_ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def mentioned(self) -> list[int]:
        return list(dict.fromkeys(int(found) for found in _USER_MENTION.findall(self.content)))

    @property
    def mentioned_roles(self) -> list[int]:
        return list(dict.fromkeys(int(found) for found in _ROLE_MENTION.findall(self.content)))

    @property
    def mentions_everyone(self) -> bool:
        return "@everyone" in self.content or "@here" in self.content

    @property
    def pings(self) -> set[int | str]:
        """Whom the message notifies: ids of people and roles, and "everyone"; as `allowed_mentions` lets it."""
        allowed = self.allowed_mentions
        if allowed is None:
            parse: Sequence[str] = ("users", "roles", "everyone") if self.pings_everyone_by_default else ("users",)
            allowed = {"parse": list(parse), "replied_user": True}
        parsed = allowed.get("parse", [])
        pinged: set[int | str] = {"everyone"} if self.mentions_everyone and "everyone" in parsed else set()
        for kind, mentioned in (("users", self.mentioned), ("roles", self.mentioned_roles)):
            named = {int(one) for one in allowed.get(kind, [])}
            pinged |= {one for one in mentioned if kind in parsed or one in named}
        if self.reply_to is not None and allowed.get("replied_user", False):
            pinged.add(self.reply_to.author.id)
        return pinged

    @property
    def unfurls(self) -> bool:
        """Whether Discord would show a preview of a link in it."""
        return not self.flags & SUPPRESS_EMBEDS and bool(_LINK.search(_QUIET_LINK.sub("", self.content)))
