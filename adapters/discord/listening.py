"""Converts discord.py's messages to a form that the inbox can store; messages that can't concern the bot are skipped.

Also translates Discord's channels, members and texts to core's, for messages, commands and buttons.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import discord

from adapters.discord.options import DiscordOptions
from adapters.platform.intake.items import kept_fields, known_fields
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Command, Who
from core.domain.clean_text import clean
from core.domain.conversation import Author
from core.domain.inbound import InboundEvent
from core.domain.thread import Thread
from core.understanding.listening import Addressing

PLATFORM: Final = "discord"
LONGEST_THREAD_NAME: Final = 100

_DIRECT: Final = "dm"
_PASTED: Final = "message.txt"
"""Discord's name for the file that it makes of a message that is too long."""
_MENTION: Final = re.compile(r"<@!?(\d+)>")
_ROLE: Final = re.compile(r"<@&(\d+)>")
_CHANNEL: Final = re.compile(r"<#(\d+)>")
_COMMAND: Final = re.compile(r"</([^:>]+):\d+>")
_EMOJI: Final = re.compile(r"<a?(:\w+:)\d+>")
_SOMEBODY: Final = sentence("somebody")
_CHANNEL_NAME: Final = sentence("channel")
_BLANKS: Final = re.compile(r"[ \t]{2,}")

AnyChannel = discord.abc.GuildChannel | discord.Thread | discord.abc.PrivateChannel | discord.PartialMessageable
Talk = (
    discord.TextChannel
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.Thread
    | discord.DMChannel
    | discord.PartialMessageable
)
"""The channels that hold messages."""

AnyUser = discord.User | discord.Member | discord.ClientUser

_HUMAN: Final = (discord.MessageType.default, discord.MessageType.reply)
_ORGANISERS: Final = discord.Permissions(manage_threads=True)


def scope_of(guild_id: int | None, user_id: int) -> str:
    """Return the scope: the server, or in a DM the user."""
    return f"{PLATFORM}:{guild_id}" if guild_id is not None else f"{PLATFORM}:dm:{user_id}"


def thread_of(channel: AnyChannel, user_id: int) -> Thread:
    """Return core's thread for a channel; a thread belongs to the club of its channel or forum."""
    guild_id = guild_id_of(channel)
    if guild_id is None:
        return Thread(scope=scope_of(None, user_id), place=_DIRECT, thread=_DIRECT)
    scope = scope_of(guild_id, user_id)
    if isinstance(channel, discord.Thread):
        return Thread(scope=scope, place=str(parent_of(channel)), thread=str(channel.id))
    return Thread(scope=scope, place=str(channel.id), thread="")


def guild_id_of(channel: object) -> int | None:
    """Return a channel's server, even if the gateway has not sent that server; None in a DM."""
    guild_id: int | None = getattr(getattr(channel, "guild", None), "id", getattr(channel, "guild_id", None))
    return guild_id


def parent_of(channel: object) -> int:
    """Return a thread's parent channel; a channel, or a thread without a known parent, is its own parent."""
    parent_id = getattr(channel, "parent_id", None) if isinstance(channel, discord.Thread) else None
    own_id: int = getattr(channel, "id", 0)
    return parent_id or own_id


def rights_in(channel: object, member: discord.Member | None) -> discord.Permissions | None:
    """Return a member's permissions in a channel; None if they aren't known without a call."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    try:
        return None if member is None else channel.permissions_for(member)
    except (discord.ClientException, AttributeError):  # the thread's parent or the server isn't known yet
        return None


def own_rights_in(channel: object) -> discord.Permissions | None:
    """Return the bot's own permissions in a channel; None if they aren't known."""
    return rights_in(channel, getattr(getattr(channel, "guild", None), "me", None))


def member_of(user: AnyUser) -> Author:
    """Return the core author of a user."""
    return Author(member_id=f"{PLATFORM}:{user.id}", display_name=user.display_name)


def ref_of(channel_id: int, message_id: int) -> str:
    """Return the permanent id of a message."""
    return f"{PLATFORM}:{channel_id}:{message_id}"


def is_organiser(member: discord.Member, options: DiscordOptions, *, rights: discord.Permissions) -> bool:
    """Whether a member is an organiser: by a permission in the channel or server, or by a configured role."""
    if rights.administrator or rights.manage_guild or rights.manage_threads:
        return True
    return any(role.id in options.organiser_roles for role in member.roles)


def hidden_by(options: DiscordOptions) -> discord.Permissions | None:
    """Return the permission that Discord requires to show organiser commands; None if nothing is hidden.

    With roles configured nothing is hidden: an organiser by role may have no permission that Discord could check.
    """
    return None if options.organiser_roles else _ORGANISERS


def name_of(command: Command) -> str:
    """Return the Discord name of a command."""
    return command.slash or command.words


def offered_as(command: Command, options: DiscordOptions, rights: discord.Permissions | None) -> str | None:
    """Return a command's name for someone with these permissions (None: all of them); None if hidden from them."""
    needed = hidden_by(options)
    is_shown = needed is None or rights is None or rights.administrator or rights.is_superset(needed)
    if command.behind or (command.who is not Who.EVERYONE and not is_shown):
        return None
    in_hidden_group = command.group is not None and command.group.for_organisers and not is_shown
    return (command.beside_group or None) if in_hidden_group else name_of(command)


def is_allowed(channel: AnyChannel, options: DiscordOptions) -> bool:
    """Whether the operator lets the bot speak there; a thread counts as its channel, and DMs are always allowed."""
    guild_id = guild_id_of(channel)
    if guild_id is None:
        return True
    if options.allowed_guilds and guild_id not in options.allowed_guilds:
        return False
    places = {channel.id, parent_of(channel), _category_of(channel)}
    return not options.allowed_channels or not places.isdisjoint(options.allowed_channels)


def _category_of(channel: object) -> int | None:
    try:
        return getattr(channel, "category_id", None)
    except discord.ClientException:  # a thread whose parent isn't known
        return None


def plain_text(message: discord.Message, *, without: set[int]) -> str:
    """Return a message's text as its readers see it, with names for mentions; mentions of `without` are removed."""
    content = clean(message.content)
    people = {user.id: user.display_name for user in getattr(message, "mentions", ())}

    def person(match: re.Match[str]) -> str:
        key = int(match[1])
        return "" if key in without else f"@{people.get(key) or say(_SOMEBODY)}"

    def role(match: re.Match[str]) -> str:
        key = int(match[1])
        found = message.guild.get_role(key) if message.guild else None
        return "" if key in without else f"@{found.name if found else say(_SOMEBODY)}"

    def channel(match: re.Match[str]) -> str:
        found = message.guild.get_channel_or_thread(int(match[1])) if message.guild else None
        return f"#{found.name if found else say(_CHANNEL_NAME)}"

    text = _CHANNEL.sub(channel, _ROLE.sub(role, _MENTION.sub(person, content)))
    text = _EMOJI.sub(r"\1", _COMMAND.sub(r"/\1", text))
    return _BLANKS.sub(" ", clean(text)).strip()


def thread_name(title: str, *, taken: Collection[str] = ()) -> str:
    """Return a thread title that fits Discord, with a number if the name is taken."""
    line, number, name = " ".join(title.split()), 1, ""
    while not name or name in taken:
        mark = "" if number == 1 else f" ({number})"
        longest = LONGEST_THREAD_NAME - len(mark)
        name = (line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…") + mark
        number += 1
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordMessage:
    """A member's message with everything needed to answer it, even after a restart.

    Each file and each paste is a tuple of name, size in bytes and address. `replied_to` is the id of the message that
    it replies to.
    """

    guild_id: int | None
    channel_id: int
    message_id: int
    author_id: int
    author_name: str
    text: str
    mentions_bot: bool
    replies_to_bot: bool
    mentions_other: bool = False
    replies_to_other: bool = False
    files: Sequence[object] = ()
    pastes: Sequence[object] = ()
    replied_to: int | None = None
    only_shows: bool = False

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Return a message from its stored payload."""
        return cls(**known_fields(cls, payload))

    @property
    def ref(self) -> str:
        """The message's permanent id."""
        return ref_of(self.channel_id, self.message_id)

    @property
    def order(self) -> int:
        """The snowflake, which grows with time."""
        return self.message_id

    @property
    def member_id(self) -> str:
        """Core's id of the writer."""
        return f"{PLATFORM}:{self.author_id}"

    @property
    def author(self) -> Author:
        """The writer."""
        return Author(member_id=self.member_id, display_name=self.author_name)

    @property
    def event(self) -> InboundEvent:
        """The event to store; for a DM it says so, since nothing else would after a restart."""
        place = str(self.channel_id) if self.guild_id is not None else f"dm:{self.channel_id}"
        return InboundEvent(
            platform=PLATFORM, place=place, message_id=str(self.message_id), payload=kept_fields(self), ref=self.ref
        )

    def with_text(self, text: str) -> Self:
        """Return a copy with another text, as after an edit."""
        return replace(self, text=text)

    def heard_in(self, channel: discord.abc.Messageable, bot_id: int) -> Addressing:
        """Return how the message addresses the bot and others."""
        in_thread = isinstance(channel, discord.Thread)
        return Addressing(
            mentions_bot=self.mentions_bot,
            replies_to_bot=self.replies_to_bot,
            mentions_other=self.mentions_other,
            replies_to_other=self.replies_to_other,
            in_thread=in_thread,
            thread_opened_by_bot=isinstance(channel, discord.Thread) and channel.owner_id == bot_id,
            is_direct=self.guild_id is None,
        )


def said_by(message: discord.Message, *, bot_id: int, options: DiscordOptions) -> DiscordMessage | None:
    """Return a human's message that may be for the bot; None for others.

    A channel message that does not address the bot never concerns it, and is not stored.
    """
    said = human_words(message, bot_id=bot_id, options=options)
    if said is None or said.guild_id is None or not isinstance(message.channel, discord.abc.GuildChannel):
        return said
    return said if said.mentions_bot or said.replies_to_bot else None


def human_words(message: discord.Message, *, bot_id: int, options: DiscordOptions) -> DiscordMessage | None:
    """Return a human's message in a place where the bot may listen; None for bots, webhooks and system messages."""
    author = getattr(message, "author", None)
    if author is None or author.bot or author.id == bot_id or message.webhook_id is not None:
        return None
    if message.type not in _HUMAN:
        return None
    if not is_allowed(message.channel, options):
        return None
    own = own_ids(message, bot_id)
    clips = [one for one in message.attachments if (one.content_type or "").startswith("audio/")]
    shows = message.message_snapshots or message.stickers or message.poll or clips
    files = [] if shows else [[clean(one.filename), one.size, one.url] for one in message.attachments]
    mentioned = {int(key) for key in re.findall(r"<@[!&]?(\d+)>", clean(message.content))}
    replied_to = _replied_to(message)
    return DiscordMessage(
        guild_id=guild_id_of(message) or guild_id_of(message.channel),
        channel_id=message.channel.id,
        message_id=message.id,
        author_id=author.id,
        author_name=clean(author.display_name) or "somebody",
        text=plain_text(message, without=own),
        mentions_bot=not mentioned.isdisjoint(own),
        replies_to_bot=replied_to is not None and replied_to.id == bot_id,
        mentions_other=bool(mentioned - own) or bool(message.mention_everyone),
        replies_to_other=replied_to is not None and not replied_to.bot and replied_to.id != author.id,
        files=[one for one in files if one[0] != _PASTED],
        pastes=[one for one in files if one[0] == _PASTED],
        replied_to=message.reference.message_id if message.reference is not None else None,
        # In a DM the content is always sent: an empty one means content of a kind unknown here.
        only_shows=not message.content and bool(shows or not (message.guild or message.attachments)),
    )


def own_ids(message: discord.Message, bot_id: int) -> set[int]:
    """Return the ids that mention the bot: its user, and the role that Discord made for it."""
    me: discord.Member | None = getattr(message.guild, "me", None)
    return {bot_id} | ({role.id for role in me.roles if role.managed} if me is not None else set())


def _replied_to(message: discord.Message) -> discord.abc.User | None:
    reference = message.reference
    replied = reference.resolved if reference is not None and message.type is discord.MessageType.reply else None
    return getattr(replied, "author", None) if isinstance(replied, discord.Message) else None
