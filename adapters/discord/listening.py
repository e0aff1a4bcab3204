"""What a member said, taken from discord.py's message so that the inbox can keep it; what is not for us is nothing.

With it Discord's channels, people and texts as core's, which messages, commands and buttons share.
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
"""What Discord calls the file that it makes of a message which is too long."""
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
"""Where messages are."""

AnyUser = discord.User | discord.Member | discord.ClientUser

_HUMAN: Final = (discord.MessageType.default, discord.MessageType.reply)
_ORGANISERS: Final = discord.Permissions(manage_threads=True)


def scope_of(guild_id: int | None, user_id: int) -> str:
    """Return who owns what is said: the server, or in a DM the one who writes."""
    return f"{PLATFORM}:{guild_id}" if guild_id is not None else f"{PLATFORM}:dm:{user_id}"


def thread_of(channel: AnyChannel, user_id: int) -> Thread:
    """Return where something is said, as core knows it; a thread belongs to the club of its channel or forum."""
    guild_id = guild_id_of(channel)
    if guild_id is None:
        return Thread(scope=scope_of(None, user_id), place=_DIRECT, thread=_DIRECT)
    scope = scope_of(guild_id, user_id)
    if isinstance(channel, discord.Thread):
        return Thread(scope=scope, place=str(parent_of(channel)), thread=str(channel.id))
    return Thread(scope=scope, place=str(channel.id), thread="")


def guild_id_of(channel: object) -> int | None:
    """Return the server that a channel is in, also where the gateway has not told of that server; None in a DM."""
    guild_id: int | None = getattr(getattr(channel, "guild", None), "id", getattr(channel, "guild_id", None))
    return guild_id


def parent_of(channel: object) -> int:
    """Return the channel that a thread belongs to; a channel itself, and a thread that names no parent, is its own."""
    parent_id = getattr(channel, "parent_id", None) if isinstance(channel, discord.Thread) else None
    own_id: int = getattr(channel, "id", 0)
    return parent_id or own_id


def rights_in(channel: object, member: discord.Member | None) -> discord.Permissions | None:
    """Return what a member may do in a channel; None where that isn't known without asking Discord."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return None
    try:
        return None if member is None else channel.permissions_for(member)
    except (discord.ClientException, AttributeError):  # the thread's parent or the server isn't known yet
        return None


def own_rights_in(channel: object) -> discord.Permissions | None:
    """Return what the bot itself may do in a channel; None where that isn't known."""
    return rights_in(channel, getattr(getattr(channel, "guild", None), "me", None))


def member_of(user: AnyUser) -> Author:
    """Return a member as core names them."""
    return Author(member_id=f"{PLATFORM}:{user.id}", display_name=user.display_name)


def ref_of(channel_id: int, message_id: int) -> str:
    """Return the name of a message for good."""
    return f"{PLATFORM}:{channel_id}:{message_id}"


def is_organiser(member: discord.Member, options: DiscordOptions, *, rights: discord.Permissions) -> bool:
    """Whether a member organises clubs: by a right, in a channel or in all of the server, or by a configured role."""
    if rights.administrator or rights.manage_guild or rights.manage_threads:
        return True
    return any(role.id in options.organiser_roles for role in member.roles)


def hidden_by(options: DiscordOptions) -> discord.Permissions | None:
    """Return the right without which Discord hides what is for organisers; None where nothing is hidden.

    Who organises by a role alone has no right that Discord could go by.
    """
    return None if options.organiser_roles else _ORGANISERS


def name_of(command: Command) -> str:
    """Return what a command is called on Discord."""
    return command.slash or command.words


def offered_as(command: Command, options: DiscordOptions, rights: discord.Permissions | None) -> str | None:
    """Return what somebody with these rights (None: with all) finds a command under; None where they don't find it."""
    needed = hidden_by(options)
    is_shown = needed is None or rights is None or rights.administrator or rights.is_superset(needed)
    if command.behind or (command.who is not Who.EVERYONE and not is_shown):
        return None
    in_hidden_group = command.group is not None and command.group.for_organisers and not is_shown
    return (command.beside_group or None) if in_hidden_group else name_of(command)


def is_allowed(channel: AnyChannel, options: DiscordOptions) -> bool:
    """Whether the operator lets the bot speak there; a thread is where its channel is. DMs are nobody's server."""
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
    """Return a message as its readers see it: names for mentions; those of `without` (the bot's own) are cut out."""
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
    """Return a thread's title as Discord takes it, with a number where the name is taken."""
    line, number, name = " ".join(title.split()), 1, ""
    while not name or name in taken:
        mark = "" if number == 1 else f" ({number})"
        longest = LONGEST_THREAD_NAME - len(mark)
        name = (line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…") + mark
        number += 1
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordMessage:
    """A member's message: all that is needed to answer it, also after a restart.

    Each of the files, and of the pastes, is its name, its size in bytes and its address. `replied_to` is the id of the
    message that it replies to.
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
        """Take up what was stored."""
        return cls(**known_fields(cls, payload))

    @property
    def ref(self) -> str:
        """The message's name for good."""
        return ref_of(self.channel_id, self.message_id)

    @property
    def order(self) -> int:
        """Snowflakes grow with time."""
        return self.message_id

    @property
    def member_id(self) -> str:
        """Who said it, as core names them."""
        return f"{PLATFORM}:{self.author_id}"

    @property
    def author(self) -> Author:
        """Who said it."""
        return Author(member_id=self.member_id, display_name=self.author_name)

    @property
    def event(self) -> InboundEvent:
        """What the inbox keeps; a DM's place says that it is one, since nothing else does after a restart."""
        place = str(self.channel_id) if self.guild_id is not None else f"dm:{self.channel_id}"
        return InboundEvent(
            platform=PLATFORM, place=place, message_id=str(self.message_id), payload=kept_fields(self), ref=self.ref
        )

    def with_text(self, text: str) -> Self:
        """Return it with another text, as after an edit."""
        return replace(self, text=text)

    def heard_in(self, channel: discord.abc.Messageable, bot_id: int) -> Addressing:
        """Return what core decides by."""
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
    """Return what a human said that may be for the bot; None for others, as for `human_words`, and for idle talk.

    What is said in a channel without addressing the bot never concerns it, and is not even stored.
    """
    said = human_words(message, bot_id=bot_id, options=options)
    if said is None or said.guild_id is None or not isinstance(message.channel, discord.abc.GuildChannel):
        return said
    return said if said.mentions_bot or said.replies_to_bot else None


def human_words(message: discord.Message, *, bot_id: int, options: DiscordOptions) -> DiscordMessage | None:
    """Return what a human said where the bot may listen; None for bots, webhooks and system messages."""
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
        # In a DM every word is given: what says nothing there shows something that isn't known here.
        only_shows=not message.content and bool(shows or not (message.guild or message.attachments)),
    )


def own_ids(message: discord.Message, bot_id: int) -> set[int]:
    """Return what a mention of the bot may name: the bot, and the role that Discord made for it."""
    me: discord.Member | None = getattr(message.guild, "me", None)
    return {bot_id} | ({role.id for role in me.roles if role.managed} if me is not None else set())


def _replied_to(message: discord.Message) -> discord.abc.User | None:
    reference = message.reference
    replied = reference.resolved if reference is not None and message.type is discord.MessageType.reply else None
    return getattr(replied, "author", None) if isinstance(replied, discord.Message) else None
