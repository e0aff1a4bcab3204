"""auth.test, apps.connections.open, and what the app may know of people, bots and files, or put there."""

import json
import time

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.methods_chat import reachable
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import File, Json

table = MethodTable()


@table.on("auth.test")
def auth_test(platform: Platform, call: Call) -> Json:
    return {
        "url": f"{platform.url}/",
        "team": platform.team_name,
        "user": platform.bot.name.lower(),
        "team_id": platform.team_id,
        "user_id": platform.bot.id,
        "bot_id": platform.bot.bot_id,
        "is_enterprise_install": False,
    }


@table.on("apps.connections.open", takes_app_token=True)
def connections_open(platform: Platform, call: Call) -> Json:
    return {"url": platform.sockets.issue()}


@table.on("users.info", "user include_locale", scopes="users:read")
def users_info(platform: Platform, call: Call) -> Json:
    person = platform.people.get(call.text("user"))
    if person is None:
        raise RefusedError("user_not_found")
    value = payloads.user(person, platform.team_id)
    return {"user": value | ({"locale": person.locale} if call.flag("include_locale") else {})}


@table.on("bots.info", "bot", scopes="users:read")
def bots_info(platform: Platform, call: Call) -> Json:
    found = [one for one in platform.people.values() if one.bot_id and one.bot_id == call.arguments.get("bot")]
    if not found:
        raise RefusedError("bot_not_found")
    bot = found[0]
    return {
        "bot": {
            "id": bot.bot_id,
            "deleted": bot.is_deleted,
            "name": bot.name,
            "updated": 1_700_000_000,
            "app_id": bot.app_id,
            "user_id": bot.id,
        }
    }


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
    """An address for so many bytes; the file is nobody's to see before the upload is completed."""
    name, length = call.text("filename"), call.text("length")
    if not name or not length.isdecimal() or length == "0":
        raise RefusedError("invalid_arguments")
    key = platform.ids.new("F")
    path = f"/files-pri/{platform.team_id}-{key}/{name}"
    platform.uploads[key] = File(
        id=key,
        name=name,
        data=b"",
        mimetype="text/plain",
        owner=platform.bot,
        path=path,
        url=f"{platform.url}{path}",
        created=int(time.time()),
        size=int(length),
    )
    return {"upload_url": f"{platform.url}/upload/v1/{key}", "file_id": key}


@table.on(
    "files.completeUploadExternal", "files channel_id channels thread_ts initial_comment blocks", scopes="files:write"
)
def complete_upload(platform: Platform, call: Call) -> Json:
    """Share what was uploaded in a channel; a file whose bytes did not all come is none."""
    given = call.arguments.get("files")
    wanted = [str(one["id"]) for one in (json.loads(given) if isinstance(given, str) else given or [])]
    files = [platform.uploads.pop(key, None) for key in wanted]
    found = [file for file in files if file is not None and len(file.data) == file.size]
    if not found or len(found) < len(wanted):
        raise RefusedError("file_not_found")
    channel = reachable(platform, call.text("channel_id"))
    for file in found:
        platform.files[file.id] = file
        file.channels.append(channel)
    said = {"text": str(call.arguments.get("initial_comment") or "")}
    platform.post(channel, platform.bot, said, files=found, subtype="file_share")
    return {"files": [{"id": file.id, "title": file.name} for file in found]}
