"""chat.startStream and its two others, and agents.sessions.setStatus: a message that grows in steps, and its stop.

A step that is still in progress when a stream ends is shown as an error, so that is a complaint here.
"""

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.blocks import check_message
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.methods_chat import metadata_of, own, reachable, thread_of, writable
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Channel, Json, Message

table = MethodTable()

_STATES = ("active", "processing", "suspended", "closed")
_TASK_STATES = ("pending", "in_progress", "complete", "error")
_LONGEST = 12_000


def _grow(message: Message, call: Call) -> str:
    """Take the chunks of a call: steps change in place, text is added."""
    texts: list[str] = []
    for chunk in call.structure("chunks", "invalid_chunks") or []:
        match chunk:
            case {"type": "task_update", "id": str(key), "title": str(), "status": str(status)} if (
                status in _TASK_STATES
            ):
                message.steps[key] = chunk
            case {"type": "markdown_text", "text": str(text)} if len(text) <= _LONGEST:
                texts.append(text)
            case _:
                raise RefusedError("invalid_chunks")
    return "".join(texts)


def _show(platform: Platform, message: Message, text: str, blocks: list[Json]) -> None:
    plan = {"type": "plan", "title": "", "tasks": list(message.steps.values())}
    said = [{"type": "markdown", "text": text}] if text else []
    message.versions.append({"text": text, "blocks": [plan, *check_message([*said, *blocks])]})
    platform.changed()


def _streaming(platform: Platform, call: Call) -> tuple[Channel, Message]:
    channel = reachable(platform, call.text("channel"))
    message = own(platform, channel, call.text("ts"), "message_not_owned_by_app")
    if not message.is_streaming:
        raise RefusedError("message_not_in_streaming_state")
    return channel, message


@table.on(
    "chat.startStream",
    "channel thread_ts markdown_text chunks recipient_team_id recipient_user_id task_display_mode",
    scopes="chat:write",
)
def start(platform: Platform, call: Call) -> Json:
    channel = writable(platform, call)
    thread_ts = thread_of(channel, call)
    if thread_ts is None:
        raise RefusedError("invalid_thread_ts")
    if call.text("recipient_user_id") not in platform.people or call.text("recipient_team_id") != platform.team_id:
        raise RefusedError("missing_recipient_user_id")
    if call.arguments.get("task_display_mode", "timeline") not in ("timeline", "plan"):
        raise RefusedError("invalid_arguments")
    message = platform.compose(channel, platform.bot, {"text": ""}, thread_ts=thread_ts)
    message.is_streaming = True
    text = _grow(message, call)
    channel.messages[message.ts] = message
    _show(platform, message, text, [])
    return {"channel": channel.id, "ts": message.ts}


@table.on("chat.appendStream", "channel ts markdown_text chunks", scopes="chat:write")
def append(platform: Platform, call: Call) -> Json:
    channel, message = _streaming(platform, call)
    _show(platform, message, message.text + _grow(message, call), [])
    return {"channel": channel.id, "ts": message.ts}


@table.on("chat.stopStream", "channel ts markdown_text chunks blocks metadata session_status", scopes="chat:write")
def stop(platform: Platform, call: Call) -> Json:
    channel, message = _streaming(platform, call)
    text = message.text + _grow(message, call)
    blocks = call.structure("blocks", "invalid_blocks_format") or []
    check_message(blocks)
    message.metadata, message.is_streaming = metadata_of(call), False
    if any(step["status"] == "in_progress" for step in message.steps.values()):
        platform.complaints.append(f"a step of {message.ts} is still in progress at the end")
    _show(platform, message, text, blocks)
    platform.sessions.setdefault((channel.id, message.root_ts), []).append(
        str(call.arguments.get("session_status", "active"))
    )
    platform.tell_message(message)
    shown = payloads.message(message, platform.team_id, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "message": shown}


@table.on("agents.sessions.setStatus", "channel_id thread_ts status title initiator_user_id", scopes="chat:write")
def set_session(platform: Platform, call: Call) -> Json:
    channel = reachable(platform, call.text("channel_id"))
    status = call.text("status")
    if status not in _STATES:
        raise RefusedError("invalid_arguments")
    if call.text("thread_ts") not in channel.messages:
        raise RefusedError("invalid_thread_ts")
    platform.sessions.setdefault((channel.id, call.text("thread_ts")), []).append(status)
    platform.changed()
    return {"status": status}
