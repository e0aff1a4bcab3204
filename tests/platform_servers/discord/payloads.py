"""How people, channels and messages look on Discord's wire: used by the gateway and by REST alike."""

from datetime import UTC, datetime

from tests.platform_servers.discord.rights import Right, rights_in
from tests.platform_servers.discord.world import (
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Json,
    Member,
    Person,
    Role,
    written_at,
)


def timestamp(snowflake: int) -> str:
    return datetime.fromtimestamp(written_at(snowflake), UTC).isoformat()


def user(person: Person) -> Json:
    return {
        "id": str(person.id),
        "username": person.name.lower(),
        "global_name": None if person.is_bot else person.name,
        "discriminator": "0",
        "avatar": None,
        "bot": person.is_bot,
        "public_flags": 0,
    }


def role(one: Role, position: int = 1) -> Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(int(one.rights)),
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": one.managed,
        "mentionable": False,
        "position": position,
        "flags": 0,
    }


def member(one: Member, *, with_user: bool = True) -> Json:
    value: Json = {
        "roles": [str(role.id) for role in one.roles],
        "nick": one.nick,
        "avatar": None,
        "joined_at": one.joined.isoformat(),
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    return {**value, "user": user(one.person)} if with_user else value


def channel(one: Channel) -> Json:
    if one.is_thread:
        return thread(one)
    last = max(one.messages, default=None)
    value: Json = {"id": str(one.id), "type": int(one.kind), "last_message_id": str(last) if last else None, "flags": 0}
    if one.guild is None:
        return {**value, "recipients": [user(person) for person in one.recipients if not person.is_bot]}
    overwrites = [
        {"id": str(key), "type": int(o.is_member), "allow": str(int(o.allow)), "deny": str(int(o.deny))}
        for key, o in one.overwrites.items()
    ]
    value |= {
        "guild_id": str(one.guild.id),
        "name": one.name,
        "position": 0,
        "parent_id": None,
        "topic": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "permission_overwrites": overwrites,
    }
    if one.kind is ChannelKind.VOICE:
        return {**value, "bitrate": 64_000, "user_limit": 0}
    return {**value, "available_tags": []} if one.kind is ChannelKind.FORUM else value


def thread(one: Channel, *, viewer: Person | None = None) -> Json:
    """A thread; with the membership of the viewer where the viewer is in it."""
    assert one.guild is not None
    assert one.parent is not None
    last = max(one.messages, default=None)
    value: Json = {
        "id": str(one.id),
        "type": int(one.kind),
        "guild_id": str(one.guild.id),
        "parent_id": str(one.parent.id),
        "owner_id": str(one.owner_id),
        "name": one.name,
        "last_message_id": str(last) if last else None,
        "message_count": len(one.messages),
        "total_message_sent": len(one.messages),
        "member_count": len(one.joined),
        "rate_limit_per_user": 0,
        "flags": 0,
        "thread_metadata": {
            "archived": one.archived,
            "locked": one.locked,
            "auto_archive_duration": one.auto_archive,
            "archive_timestamp": timestamp(one.id),
            "create_timestamp": timestamp(one.id),
        },
    }
    if viewer is not None and viewer.id in one.joined:
        value["member"] = thread_member(one, viewer)
    return value


def thread_member(one: Channel, person: Person) -> Json:
    return {"id": str(one.id), "user_id": str(person.id), "join_timestamp": timestamp(one.id), "flags": 1}


def attachment(one: Attachment) -> Json:
    return {
        "id": str(one.id),
        "filename": one.filename,
        "size": len(one.data),
        "url": one.url,
        "proxy_url": one.url,
        "content_type": one.content_type,
    } | ({"description": one.description} if one.description else {})


def guild(one: Guild, channels: list[Channel], bot: Person, *, with_members: bool) -> Json:
    """GUILD_CREATE: only what the bot may see; without the members intent, of the members only the bot."""
    roles = [one.everyone, *one.roles.values()]
    own = [entry for entry in one.members.values() if with_members or entry.person is bot]
    visible = [place for place in channels if place.guild is one and Right.VIEW_CHANNEL in rights_in(place, bot)]
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "owner_id": str(one.owner.id),
        "member_count": len(one.members),
        "large": False,
        "roles": [role(entry, position) for position, entry in enumerate(roles)],
        "members": [member(entry) for entry in own],
        "channels": [channel(place) for place in visible if not place.is_thread],
        "threads": [thread(place, viewer=bot) for place in visible if place.is_thread and not place.archived],
        "emojis": [],
        "stickers": [],
        "features": [],
        "voice_states": [],
        "presences": [],
        "preferred_locale": "en-US",
    }


def application(bot: Person, owner: Person, flags: int) -> Json:
    return {
        "id": str(bot.id),
        "name": bot.name,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(owner),
        "team": None,
        "verify_key": "00",
        "flags": flags,
    }
