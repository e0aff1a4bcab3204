"""files.*: what the app may know of a file, and the three steps by which it shares one of its own.

https://docs.slack.dev/messaging/working-with-files#uploading_files
"""

import json
import time
from typing import Any

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.methods_chat import writable
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import File, Json

table = MethodTable()

UPLOADS = "/upload/v1/"
_LONGEST_ALT = 1_000
_PNG = b"\x89PNG\r\n\x1a\n"


@table.on("files.info", "file count cursor limit page", scopes="files:read")
def files_info(platform: Platform, call: Call) -> Json:
    file = platform.files.get(call.text("file"))
    if file is None or not any(platform.bot in one.members for one in file.channels):
        raise RefusedError("file_not_found")
    if file.is_deleted:
        raise RefusedError("file_deleted")
    return {"file": payloads.file_info(file), "comments": [], "response_metadata": {"next_cursor": ""}}


@table.on("files.getUploadURLExternal", "filename length alt_txt snippet_type", scopes="files:write")
def get_upload_url(platform: Platform, call: Call) -> Json:
    name, length = call.text("filename"), int(call.text("length"))
    alt_text = str(call.arguments.get("alt_txt", ""))
    if not name or length <= 0 or len(alt_text) > _LONGEST_ALT:
        raise RefusedError("invalid_arguments")
    key = platform.ids.new("F")
    path = f"/files-pri/{platform.team_id}-{key}/{name}"
    platform.files[key] = File(
        id=key,
        name=name,
        data=b"",
        mimetype="image/png" if name.endswith(".png") else "text/plain",
        owner=platform.bot,
        path=path,
        url=f"{platform.url}{path}",
        created=int(time.time()),
        size=length,
        alt_text=alt_text,
        is_uploaded=False,
    )
    return {"upload_url": f"{platform.url}{UPLOADS}{key}", "file_id": key}


@table.on(
    "files.completeUploadExternal",
    "files channel_id channels thread_ts initial_comment blocks",
    scopes="files:write",
)
def complete_upload(platform: Platform, call: Call) -> Json:
    channel = writable(platform, Call(method=call.method, headers={}, arguments={"channel": call.text("channel_id")}))
    files = [_completed(platform, one) for one in json.loads(call.text("files"))]
    thread_ts = call.arguments.get("thread_ts")
    platform.post(channel, platform.bot, {"text": ""}, subtype="file_share", thread_ts=thread_ts, files=files)
    for file in files:
        file.channels.append(channel)
    return {"files": [payloads.file_info(file) for file in files]}


def take_bytes(platform: Platform, key: str, data: bytes) -> int:
    """Take what is put to an upload address; return the status that Slack answers with."""
    file = platform.files.get(key)
    if file is None or file.is_uploaded or len(data) != file.size:
        return 400
    file.data, file.is_uploaded = data, True
    return 200


def _completed(platform: Platform, named: dict[str, Any]) -> File:
    file = platform.files.get(str(named.get("id")))
    if file is None or file.owner is not platform.bot or named.keys() - {"id", "title", "highlight_type"}:
        raise RefusedError("file_not_found")
    is_as_named = file.data.startswith(_PNG) or not file.name.endswith(".png")
    if not file.is_uploaded or not is_as_named:
        raise RefusedError("file_update_failed")
    return file
