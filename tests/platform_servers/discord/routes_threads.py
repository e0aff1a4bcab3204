"""REST on threads: open one at a message, in a channel or in a forum; edit, list, join and leave."""

from tests.platform_servers.discord import payloads
from tests.platform_servers.discord.calls import (
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    THREAD_IS_ARCHIVED,
    Call,
    RefusedError,
    RouteTable,
    channel_of,
    invalid,
    message_of,
    snowflake,
)
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.routes_messages import check_may_attach, shown
from tests.platform_servers.discord.validation import draft_of
from tests.platform_servers.discord.world import Channel, ChannelKind, Json

table = RouteTable()

_ARCHIVE_AFTER = (60, 1440, 4320, 10080)
_OPENING_RIGHT = {
    ChannelKind.PUBLIC_THREAD: Right.CREATE_PUBLIC_THREADS,
    ChannelKind.PRIVATE_THREAD: Right.CREATE_PRIVATE_THREADS,
}


@table.on("POST", "/channels/{channel}/messages/{message}/threads")
def open_at_message(platform: Platform, call: Call) -> Json:
    starter = message_of(platform, call)
    rights = platform.rights(starter.channel)
    if Right.CREATE_PUBLIC_THREADS not in rights or Right.READ_MESSAGE_HISTORY not in rights:
        raise MISSING_PERMISSIONS
    if starter.channel.kind not in (ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT):
        raise RefusedError(400, 50024, "Cannot execute action on this channel type")
    if starter.thread is not None:
        raise RefusedError(400, 160004, "A thread has already been created for this message")
    name, auto_archive = _name(call.json), _auto_archive(call.json)
    thread = platform.open_thread(starter.channel, platform.bot, name, starter=starter, auto_archive=auto_archive)
    return payloads.thread(thread, viewer=platform.bot)


@table.on("POST", "/channels/{channel}/threads")
def open_in_channel(platform: Platform, call: Call) -> Json:
    parent = channel_of(platform, call)
    name, auto_archive = _name(call.json), _auto_archive(call.json)
    if parent.kind is ChannelKind.FORUM:
        return _open_post(platform, call, parent, name, auto_archive)
    if parent.kind is not ChannelKind.TEXT:
        raise RefusedError(400, 50024, "Cannot execute action on this channel type")
    kind = ChannelKind(call.json.get("type", ChannelKind.PRIVATE_THREAD))
    if _OPENING_RIGHT[kind] not in platform.rights(parent):
        raise MISSING_PERMISSIONS
    thread = platform.open_thread(parent, platform.bot, name, kind=kind, auto_archive=auto_archive)
    return payloads.thread(thread, viewer=platform.bot)


def _open_post(platform: Platform, call: Call, forum: Channel, name: str, auto_archive: int) -> Json:
    if Right.SEND_MESSAGES not in platform.rights(forum):
        raise MISSING_PERMISSIONS
    if "message" not in call.json:
        raise invalid("message", "BASE_TYPE_REQUIRED", "This field is required")
    check_may_attach(platform, forum, call)
    draft = draft_of(platform, call, call.json["message"], forum)
    thread = platform.open_thread(forum, platform.bot, name, auto_archive=auto_archive)
    message = platform.post(thread, platform.bot, draft)
    return {**payloads.thread(thread, viewer=platform.bot), "message": shown(platform, message)}


def _name(body: Json) -> str:
    name = body.get("name")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 100:
        raise invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    return name


def _auto_archive(body: Json) -> int:
    minutes = body.get("auto_archive_duration") or 1440
    if minutes not in _ARCHIVE_AFTER:
        raise invalid("auto_archive_duration", "BASE_TYPE_CHOICES", f"Value must be one of {_ARCHIVE_AFTER}.")
    return int(minutes)


@table.on("PATCH", "/channels/{channel}")
def edit(platform: Platform, call: Call) -> Json:
    """A thread's own opener may rename, archive and reopen it; to lock it, and all else, takes MANAGE_THREADS."""
    thread = channel_of(platform, call)
    if not thread.is_thread:
        raise MISSING_PERMISSIONS
    manages = Right.MANAGE_THREADS in platform.rights(thread)
    if not manages and (thread.owner_id != platform.bot.id or "locked" in call.json or thread.locked):
        raise MISSING_PERMISSIONS
    if thread.archived and call.json.get("archived", True):
        raise THREAD_IS_ARCHIVED
    if "name" in call.json:
        thread.name = _name(call.json)
    if "auto_archive_duration" in call.json:
        thread.auto_archive = _auto_archive(call.json)
    thread.archived = call.json.get("archived", thread.archived)
    thread.locked = call.json.get("locked", thread.locked)
    platform.tell_thread("THREAD_UPDATE", thread)
    return payloads.thread(thread, viewer=platform.bot)


@table.on("DELETE", "/channels/{channel}")
def delete(platform: Platform, call: Call) -> Json:
    """A thread is deleted by who may manage threads, not even by its own opener otherwise."""
    thread = channel_of(platform, call)
    if not thread.is_thread or Right.MANAGE_THREADS not in platform.rights(thread):
        raise MISSING_PERMISSIONS
    platform.forget_thread(thread)
    return payloads.thread(thread, viewer=platform.bot)


@table.on("GET", "/guilds/{guild}/threads/active")
def active(platform: Platform, call: Call) -> Json:
    guild = platform.guilds.get(snowflake(call.params["guild"], "guild_id"))
    if guild is None:
        raise RefusedError(404, 10004, "Unknown Guild")
    if platform.bot.id not in guild.members:
        raise MISSING_ACCESS
    threads = [one for one in _threads(platform) if one.guild is guild and not one.archived]
    return {"threads": [payloads.thread(one) for one in threads], "members": _members(platform, threads)}


@table.on("GET", "/channels/{channel}/threads/archived/public")
def archived_public(platform: Platform, call: Call) -> Json:
    return _archived(platform, call, ChannelKind.PUBLIC_THREAD)


def _archived(platform: Platform, call: Call, kind: ChannelKind) -> Json:
    parent = channel_of(platform, call)
    if Right.READ_MESSAGE_HISTORY not in platform.rights(parent):
        raise MISSING_PERMISSIONS
    found = [one for one in _threads(platform) if one.parent is parent and one.archived and one.kind is kind]
    return {
        "threads": [payloads.thread(one) for one in found],
        "members": _members(platform, found),
        "has_more": False,
    }


def _threads(platform: Platform) -> list[Channel]:
    return [one for one in reversed(platform.channels.values()) if one.is_thread and platform.rights(one)]


def _members(platform: Platform, threads: list[Channel]) -> list[Json]:
    return [payloads.thread_member(one, platform.bot) for one in threads if platform.bot.id in one.joined]
