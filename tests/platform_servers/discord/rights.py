"""Discord's permissions: the bits, and who may do what in a channel."""

from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.platform_servers.discord.world import Channel, Guild, Person


class Right(IntFlag):
    NONE = 0
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


ALL_RIGHTS = Right(~0 & sum(Right))

READERS_RIGHTS = (
    Right.VIEW_CHANNEL
    | Right.SEND_MESSAGES
    | Right.SEND_MESSAGES_IN_THREADS
    | Right.CREATE_PUBLIC_THREADS
    | Right.READ_MESSAGE_HISTORY
    | Right.ADD_REACTIONS
    | Right.ATTACH_FILES
    | Right.EMBED_LINKS
    | Right.USE_APPLICATION_COMMANDS
)

BOT_RIGHTS = READERS_RIGHTS & ~Right.USE_APPLICATION_COMMANDS

_DM_RIGHTS = READERS_RIGHTS & ~Right.CREATE_PUBLIC_THREADS


@dataclass(slots=True, kw_only=True)
class Overwrite:
    """What a channel allows and denies to one member, or to one role."""

    is_member: bool
    allow: Right = Right.NONE
    deny: Right = Right.NONE


def guild_rights(guild: "Guild", person: "Person") -> Right:
    """What somebody may do in a guild, before any channel's overwrites."""
    member = guild.members.get(person.id)
    if member is None:
        return Right.NONE
    rights = guild.everyone.rights
    for role in member.roles:
        rights |= role.rights
    return ALL_RIGHTS if person is guild.owner or Right.ADMINISTRATOR in rights else rights


def rights_in(channel: "Channel", person: "Person") -> Right:
    """What somebody may do in a channel; a thread has the rights of its parent, a private one is for those in it."""
    if channel.guild is None:
        return _DM_RIGHTS if person in channel.recipients else Right.NONE
    rights = guild_rights(channel.guild, person)
    if rights in (ALL_RIGHTS, Right.NONE):
        return rights
    rights = _with_overwrites(channel.parent or channel, person, rights)
    if Right.VIEW_CHANNEL not in rights:
        return Right.NONE
    is_private = channel.is_thread and channel.kind.name == "PRIVATE_THREAD"
    if is_private and person.id not in channel.joined and Right.MANAGE_THREADS not in rights:
        return Right.NONE
    return rights


def _with_overwrites(channel: "Channel", person: "Person", rights: Right) -> Right:
    assert channel.guild is not None
    roles = {role.id for role in channel.guild.members[person.id].roles}
    everyone = channel.overwrites.get(channel.guild.everyone.id)
    of_roles = [overwrite for key, overwrite in channel.overwrites.items() if key in roles]
    of_member = channel.overwrites.get(person.id)
    for layer in ([everyone] if everyone else [], of_roles, [of_member] if of_member else []):
        for overwrite in layer:
            rights &= ~overwrite.deny
        for overwrite in layer:
            rights |= overwrite.allow
    return rights
