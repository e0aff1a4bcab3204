"""chat.*: posting, changing and deleting messages, and showing one to a single person."""

import json
import re
import time
from typing import Any

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.blocks import check_message
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Channel, ChannelKind, Json, Message

table = MethodTable()

TEXT_LONGEST = 40_000
# Not documented: what others met in practice.
UPDATE_LONGEST = 4_000
METADATA_LARGEST = 8_000

_BODY = "channel text blocks attachments markdown_text parse link_names "
_POST = _BODY + "thread_ts reply_broadcast unfurl_links unfurl_media mrkdwn metadata icon_emoji icon_url username"
_OPTIONS = ("parse", "link_names", "unfurl_links", "unfurl_media", "mrkdwn")
_TS = re.compile(r"\d{10}\.\d{6}")


def reachable(platform: Platform, key: str) -> Channel:
    """A channel that the app may know of: a private one, or a DM, only where it is a member."""
    channel = platform.channels.get(key)
    if channel is None or (channel.kind is not ChannelKind.PUBLIC and platform.bot not in channel.members):
        raise RefusedError("channel_not_found")
    return channel


def writable(platform: Platform, call: Call) -> Channel:
    """A channel that the app may post in."""
    key = call.text("channel")
    person = platform.people.get(key)
    channel = platform.dm_with(person) if person and not person.is_bot else reachable(platform, key)
    if channel.is_archived:
        raise RefusedError("is_archived")
    is_open = channel.kind is ChannelKind.PUBLIC and "chat:write.public" in platform.scopes
    if platform.bot not in channel.members and not is_open:
        raise RefusedError("not_in_channel")
    return channel


def body_of(call: Call, longest: int = TEXT_LONGEST) -> Json:
    """text, blocks and attachments of a call, checked."""
    text = call.arguments.get("text", "")
    if not isinstance(text, str):
        raise RefusedError("invalid_arguments")
    blocks = call.structure("blocks", "invalid_blocks_format")
    attachments = call.structure("attachments", "invalid_attachments") or []
    markdown = call.arguments.get("markdown_text")
    if markdown:
        if text or blocks:
            raise RefusedError("markdown_text_conflict")
        blocks = [{"type": "markdown", "text": str(markdown)}]
    if not text.strip() and not blocks and not attachments:
        raise RefusedError("no_text")
    if len(text) > longest or len(str(markdown or "")) > 12_000:
        raise RefusedError("msg_too_long")
    body: Json = {"text": text}
    if blocks:
        body["blocks"] = check_message(blocks)
    return body | ({"attachments": attachments} if attachments else {})


def metadata_of(call: Call) -> Json | None:
    """The metadata of a call, checked."""
    given = call.structure("metadata", "invalid_metadata_format")
    if given is None:
        return None
    if not isinstance(given, dict) or not isinstance(given.get("event_type"), str):
        raise RefusedError("invalid_metadata_format")
    if not isinstance(given.get("event_payload"), dict) or given.keys() - {"event_type", "event_payload"}:
        raise RefusedError("invalid_metadata_schema")
    if len(json.dumps(given)) > METADATA_LARGEST:
        raise RefusedError("metadata_too_large")
    return given


def thread_of(channel: Channel, call: Call) -> str | None:
    """The thread to post in, by its first message; Slack wants the parent's ts, never a reply's."""
    ts = call.arguments.get("thread_ts")
    if not ts:
        return None
    if not isinstance(ts, str) or not _TS.fullmatch(ts):
        raise RefusedError("invalid_thread_ts")
    parent = channel.messages.get(ts)
    if parent is None:
        raise RefusedError("thread_not_found")
    if parent.thread_ts not in (None, parent.ts):
        raise RefusedError("cannot_reply_to_message")
    return ts


def _pace(platform: Platform, channel: Channel) -> None:
    """One message a second a channel, where a test asked for that."""
    mine = [one for one in channel.history if one.author is platform.bot]
    if platform.one_a_second and mine and time.time() - float(mine[-1].ts) < 1.0:
        raise RefusedError("ratelimited", retry_after=1)


@table.on("chat.postMessage", _POST, scopes="chat:write")
def post_message(platform: Platform, call: Call) -> Json:
    channel = writable(platform, call)
    body = body_of(call)
    if {"username", "icon_emoji", "icon_url"} & call.arguments.keys() and "chat:write.customize" not in platform.scopes:
        raise RefusedError("missing_scope", needed="chat:write.customize", provided=",".join(sorted(platform.scopes)))
    metadata, thread_ts = metadata_of(call), thread_of(channel, call)
    _pace(platform, channel)
    options = {name: call.arguments[name] for name in _OPTIONS if name in call.arguments}
    broadcast = call.flag("reply_broadcast")
    more: Any = {"thread_ts": thread_ts, "metadata": metadata, "options": options, "broadcast": broadcast}
    if broadcast and thread_ts:
        more["subtype"] = "thread_broadcast"
    message = platform.post(channel, platform.bot, body, **more)
    shown = payloads.message(message, platform.team_id, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "message": shown}


def own(platform: Platform, channel: Channel, ts: str, error: str) -> Message:
    """A message of the app itself; of others it may change none."""
    message = channel.messages.get(ts)
    if message is None or message.is_deleted:
        raise RefusedError("message_not_found")
    if message.author is not platform.bot:
        raise RefusedError(error)
    return message


@table.on("chat.update", _BODY + "ts metadata reply_broadcast file_ids", scopes="chat:write")
def update(platform: Platform, call: Call) -> Json:
    channel = writable(platform, call)
    message = own(platform, channel, call.text("ts"), "cant_update_message")
    # What the call leaves out stays as it was; an empty list takes it away.
    kept = {name: message.body[name] for name in ("blocks", "attachments") if name in message.body}
    kept = {
        name: one for name, one in kept.items() if name not in call.arguments and "markdown_text" not in call.arguments
    }
    body = kept | body_of(call, UPDATE_LONGEST)
    metadata = metadata_of(call)
    platform.change(message, body)
    if metadata is not None:
        message.metadata = metadata
    message.options |= {name: call.arguments[name] for name in ("parse", "link_names") if name in call.arguments}
    shown = payloads.message(message, platform.team_id, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": shown}


@table.on("chat.delete", "channel ts", scopes="chat:write")
def delete(platform: Platform, call: Call) -> Json:
    channel = reachable(platform, call.text("channel"))
    message = own(platform, channel, call.text("ts"), "cant_delete_message")
    platform.erase(message)
    return {"channel": channel.id, "ts": message.ts}


@table.on("chat.postEphemeral", _BODY + "user thread_ts icon_emoji icon_url username", scopes="chat:write")
def post_ephemeral(platform: Platform, call: Call) -> Json:
    channel = writable(platform, call)
    reader = platform.people.get(call.text("user"))
    if reader is None or reader not in channel.members:
        raise RefusedError("user_not_in_channel")
    thread_ts = call.arguments.get("thread_ts")
    body = body_of(call)
    options = {name: call.arguments[name] for name in _OPTIONS if name in call.arguments}
    is_shown = thread_ts is None or len(channel.thread(str(thread_ts))) > 1
    message = platform.whisper(channel, reader, body, thread_ts=thread_ts, options=options, is_shown=is_shown)
    return {"message_ts": message.ts}
