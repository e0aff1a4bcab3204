"""REST on messages: post, edit, delete, read back, react, and show that one is typing."""

import re
import time
from urllib.parse import unquote

from tests.platform_servers.discord import message_payloads
from tests.platform_servers.discord.calls import (
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
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.platform import Draft, Platform
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.validation import apply_edit, draft_of
from tests.platform_servers.discord.world import Channel, ChannelKind, Json, Message, written_at

table = RouteTable()

_MOST_REACTIONS = 20
_NONCE_REMEMBERED_S = 300
_ONE = "/channels/{channel}/messages/{message}"
_EMOJI = re.compile(r"[^\s\w:]+|[0-9#*]\ufe0f?\u20e3|\w{2,32}:\d+")


def check_may_post(platform: Platform, channel: Channel) -> None:
    rights = platform.rights(channel)
    needed = Right.SEND_MESSAGES_IN_THREADS if channel.is_thread else Right.SEND_MESSAGES
    if channel.kind is ChannelKind.FORUM:
        raise RefusedError(400, 50008, "Cannot send messages in a non-text channel")
    if needed not in rights:
        raise MISSING_PERMISSIONS
    if channel.locked and Right.MANAGE_THREADS not in rights:
        raise THREAD_IS_ARCHIVED if channel.archived else RefusedError(403, 160005, "Thread is locked")


def check_may_attach(platform: Platform, channel: Channel, call: Call) -> None:
    if call.uploads and Right.ATTACH_FILES not in platform.rights(channel):
        raise MISSING_PERMISSIONS


def shown(platform: Platform, message: Message) -> Json:
    """A message in the answer to a call: without the intent that was not granted its text is empty here too."""
    granted = Intent.MESSAGE_CONTENT in platform.gateway.allowed
    return message_payloads.message(message, bot=platform.bot, with_content=granted)


@table.on("POST", "/channels/{channel}/messages")
def create(platform: Platform, call: Call) -> Json:
    channel = channel_of(platform, call)
    check_may_post(platform, channel)
    check_may_attach(platform, channel, call)
    draft = draft_of(platform, call, call.json, channel)
    if call.json.get("enforce_nonce") and draft.nonce is not None:
        earlier = _with_nonce(platform, channel, draft.nonce)
        if earlier is not None:
            return shown(platform, earlier)
    if call.json.get("message_reference"):
        _refer(platform, channel, draft, call.json["message_reference"])
    return shown(platform, platform.post(channel, platform.bot, draft))


def _with_nonce(platform: Platform, channel: Channel, nonce: str) -> Message | None:
    """The message that the bot posted with this nonce in the past few minutes."""
    for message in reversed(channel.history):
        recent = time.time() - written_at(message.id) < _NONCE_REMEMBERED_S
        if message.nonce == nonce and message.author is platform.bot and recent:
            return message
    return None


def _refer(platform: Platform, channel: Channel, draft: Draft, reference: Json) -> None:
    if Right.READ_MESSAGE_HISTORY not in platform.rights(channel):
        raise RefusedError(403, 160002, "Cannot reply without permission to read message history")
    if int(reference.get("channel_id", channel.id)) != channel.id:
        raise invalid("message_reference", "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", "Cannot reply to another channel")
    message = channel.messages.get(snowflake(reference.get("message_id"), "message_reference.message_id"))
    if message is None:
        if reference.get("fail_if_not_exists", True):
            raise invalid("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        return
    if message.is_system:
        raise invalid(
            "message_reference", "REPLIES_CANNOT_REFERENCE_SYSTEM_MESSAGE", "Cannot reply to a system message"
        )
    draft.reply_to = message
    draft.reference = {"type": 0, "message_id": str(message.id), "channel_id": str(channel.id)}
    if channel.guild is not None:
        draft.reference["guild_id"] = str(channel.guild.id)


@table.on("PATCH", _ONE)
def edit(platform: Platform, call: Call) -> Json:
    message = message_of(platform, call)
    if message.author is not platform.bot:
        raise RefusedError(403, 50005, "Cannot edit a message authored by another user")
    if message.channel.archived:
        raise THREAD_IS_ARCHIVED
    apply_edit(platform, call, call.json, message)
    platform.tell_message("MESSAGE_UPDATE", message)
    return shown(platform, message)


@table.on("DELETE", _ONE)
def delete(platform: Platform, call: Call) -> None:
    message = message_of(platform, call)
    if message.author is not platform.bot and Right.MANAGE_MESSAGES not in platform.rights(message.channel):
        raise MISSING_PERMISSIONS
    if message.channel.archived:
        raise THREAD_IS_ARCHIVED
    platform.erase(message)


@table.on("GET", _ONE)
def get_one(platform: Platform, call: Call) -> Json:
    if Right.READ_MESSAGE_HISTORY not in platform.rights(channel_of(platform, call)):
        raise MISSING_PERMISSIONS
    return shown(platform, message_of(platform, call))


@table.on("GET", "/channels/{channel}/messages")
def history(platform: Platform, call: Call) -> list[Json]:
    """Newest first, whatever is asked for; after, before and around leave out what they name, except around."""
    channel = channel_of(platform, call)
    if channel.kind is ChannelKind.FORUM:
        raise RefusedError(400, 50008, "Cannot send messages in a non-text channel")
    limit = snowflake(call.query.get("limit", "50"), "limit")
    if not 1 <= limit <= 100:
        raise invalid("limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
    bounds = {name: snowflake(call.query[name], name) for name in ("after", "before", "around") if name in call.query}
    if Right.READ_MESSAGE_HISTORY not in platform.rights(channel):
        return []
    found = channel.history
    if "after" in bounds:
        found = [one for one in found if one.id > bounds["after"]][:limit]
    elif "before" in bounds:
        found = [one for one in found if one.id < bounds["before"]][-limit:]
    elif "around" in bounds:
        older = [one for one in found if one.id <= bounds["around"]][-(limit // 2 + 1) :]
        found = (older + [one for one in found if one.id > bounds["around"]])[:limit]
    else:
        found = found[-limit:]
    return [shown(platform, one) for one in reversed(found)]


@table.on("POST", "/channels/{channel}/typing")
def typing(platform: Platform, call: Call) -> None:
    channel = channel_of(platform, call)
    check_may_post(platform, channel)
    platform.typing.append(channel)


@table.on("PUT", f"{_ONE}/reactions/{{emoji}}/@me")
def react(platform: Platform, call: Call) -> None:
    message, key = _reaction(platform, call)
    rights = platform.rights(message.channel)
    if Right.READ_MESSAGE_HISTORY not in rights:
        raise MISSING_PERMISSIONS
    if key not in message.reactions:
        if Right.ADD_REACTIONS not in rights:
            raise MISSING_PERMISSIONS
        if len(message.reactions) >= _MOST_REACTIONS:
            raise RefusedError(400, 30010, "Maximum number of reactions reached (20)")
    platform.react(message, platform.bot, key)


@table.on("DELETE", f"{_ONE}/reactions/{{emoji}}/@me")
def unreact(platform: Platform, call: Call) -> None:
    message, key = _reaction(platform, call)
    platform.unreact(message, platform.bot, key)


def _reaction(platform: Platform, call: Call) -> tuple[Message, str]:
    message = message_of(platform, call)
    key = unquote(call.params["emoji"])
    if not _EMOJI.fullmatch(key) or (key.isascii() and ":" not in key):
        raise RefusedError(400, 10014, "Unknown Emoji")
    if message.channel.archived:
        raise THREAD_IS_ARCHIVED
    return message, key
