"""Discord's channels, people and texts as core's, and back: what messages, commands and buttons share."""

import re
from typing import Final

import discord

from adapters.discord.options import DiscordOptions
from core.domain.conversation import Author
from core.domain.thread import Thread

PLATFORM: Final = "discord"
LONGEST_THREAD_NAME: Final = 100

_DIRECT: Final = "dm"
_MENTION: Final = re.compile(r"<@!?(\d+)>")
_ROLE: Final = re.compile(r"<@&(\d+)>")
_CHANNEL: Final = re.compile(r"<#(\d+)>")
_COMMAND: Final = re.compile(r"</([^:>]+):\d+>")
_EMOJI: Final = re.compile(r"<a?(:\w+:)\d+>")
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


def scope_of(guild_id: int | None, user_id: int) -> str:
    """Return who owns what is said: the server, or in a DM the one who writes."""
    return f"{PLATFORM}:{guild_id}" if guild_id is not None else f"{PLATFORM}:dm:{user_id}"


def thread_of(channel: AnyChannel, user_id: int) -> Thread:
    """Return where something is said, as core knows it; a thread belongs to the club of its channel or forum."""
    guild_id = getattr(channel.guild, "id", None) if hasattr(channel, "guild") else None
    if guild_id is None:
        return Thread(scope=scope_of(None, user_id), place=_DIRECT, thread=_DIRECT)
    scope = scope_of(guild_id, user_id)
    if isinstance(channel, discord.Thread):
        return Thread(scope=scope, place=str(channel.parent_id), thread=str(channel.id))
    return Thread(scope=scope, place=str(channel.id), thread="")


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


def is_allowed(channel: AnyChannel, options: DiscordOptions) -> bool:
    """Whether the operator lets the bot speak there; a thread is where its channel is. DMs are nobody's server."""
    guild = channel.guild if hasattr(channel, "guild") else None
    if guild is None:
        return True
    if options.allowed_guilds and guild.id not in options.allowed_guilds:
        return False
    places = {channel.id, getattr(channel, "parent_id", None), getattr(channel, "category_id", None)}
    return not options.allowed_channels or not places.isdisjoint(options.allowed_channels)


def plain_text(message: discord.Message, *, without: set[int]) -> str:
    """Return a message as its readers see it: names for mentions; those of `without` (the bot's own) are cut out."""
    people = {user.id: user.display_name for user in message.mentions}

    def person(match: re.Match[str]) -> str:
        key = int(match[1])
        return "" if key in without else f"@{people.get(key, 'somebody')}"

    def role(match: re.Match[str]) -> str:
        key = int(match[1])
        found = message.guild.get_role(key) if message.guild else None
        return "" if key in without else f"@{found.name if found else 'somebody'}"

    def channel(match: re.Match[str]) -> str:
        found = message.guild.get_channel_or_thread(int(match[1])) if message.guild else None
        return f"#{found.name if found else 'channel'}"

    text = _CHANNEL.sub(channel, _ROLE.sub(role, _MENTION.sub(person, message.content)))
    text = _EMOJI.sub(r"\1", _COMMAND.sub(r"/\1", text))
    return _BLANKS.sub(" ", text).strip()


def thread_name(title: str) -> str:
    """Return a thread's title as Discord takes it."""
    line = " ".join(title.split())
    return line if len(line) <= LONGEST_THREAD_NAME else f"{line[: LONGEST_THREAD_NAME - 1].rstrip()}…"
