"""reactions.* and assistant.threads.setStatus: what the app shows on or beside a message without words."""

import re

from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.methods_chat import reachable
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json, Message

table = MethodTable()

KINDS_OF_A_MESSAGE = 50
KINDS_OF_A_PERSON = 23
_NAME = re.compile(r"[a-z0-9_'+\-]+(::skin-tone-[2-6])?")
_TS = re.compile(r"\d{10}\.\d{6}")


def _message(platform: Platform, call: Call) -> Message:
    if not call.arguments.get("channel") or not call.arguments.get("timestamp"):
        raise RefusedError("no_item_specified")
    channel = reachable(platform, str(call.arguments["channel"]))
    ts = str(call.arguments["timestamp"])
    if not _TS.fullmatch(ts):
        raise RefusedError("bad_timestamp")
    if channel.is_archived:
        raise RefusedError("is_archived")
    message = channel.messages.get(ts)
    if message is None:
        raise RefusedError("message_not_found")
    if platform.bot not in channel.members:
        raise RefusedError("not_in_channel")
    return message


def _name(call: Call) -> str:
    name = call.text("name")
    if not _NAME.fullmatch(name):
        raise RefusedError("invalid_name")
    return name


@table.on("reactions.add", "channel timestamp name", scopes="reactions:write")
def add(platform: Platform, call: Call) -> Json:
    name, message, me = _name(call), _message(platform, call), platform.bot.id
    if me in message.reactions.get(name, []):
        raise RefusedError("already_reacted")
    if name not in message.reactions and len(message.reactions) >= KINDS_OF_A_MESSAGE:
        raise RefusedError("too_many_emoji")
    if sum(me in users for users in message.reactions.values()) >= KINDS_OF_A_PERSON:
        raise RefusedError("too_many_reactions")
    platform.react(message, platform.bot, name)
    return {}


@table.on("reactions.remove", "channel timestamp name file file_comment", scopes="reactions:write")
def remove(platform: Platform, call: Call) -> Json:
    name, message = _name(call), _message(platform, call)
    if platform.bot.id not in message.reactions.get(name, []):
        raise RefusedError("no_reaction")
    platform.unreact(message, platform.bot, name)
    return {}


@table.on(
    "assistant.threads.setStatus",
    "channel_id thread_ts status loading_messages icon_emoji icon_url username",
    scopes="assistant:write chat:write",
)
def set_status(platform: Platform, call: Call) -> Json:
    channel = reachable(platform, call.text("channel_id"))
    thread_ts = call.text("thread_ts")
    if "status" not in call.arguments:
        raise RefusedError("invalid_arguments")
    if len(call.structure("loading_messages", "invalid_arguments") or []) > 10:
        raise RefusedError("invalid_arguments")
    if thread_ts not in channel.messages:
        raise RefusedError("invalid_thread_ts")
    if platform.bot not in channel.members:
        raise RefusedError("not_in_channel")
    platform.statuses.setdefault((channel.id, thread_ts), []).append(str(call.arguments["status"]))
    platform.changed()
    return {}
