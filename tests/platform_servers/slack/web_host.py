"""What Slack serves beside the Web API: downloads of files, and the response_urls of commands and buttons."""

from collections.abc import Mapping
from typing import Any

from tests.platform_servers.slack.blocks import check_message
from tests.platform_servers.slack.calls import Call, RefusedError
from tests.platform_servers.slack.interactions import RESPONSES, Interaction
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json, Message

FILES = "files"
RESPONSE_URL = "response_url"

Answer = tuple[int, Any, Mapping[str, str]]

_LOGIN_PAGE = (
    b"<!DOCTYPE html><html><head><title>Slack</title></head>"
    b"<body><form action='/signin'>Sign in to your workspace</form></body></html>"
)
_LONGEST = 40_000
_BODY = frozenset(["text", "blocks", "attachments"])
_OPTIONS = frozenset(["unfurl_links", "unfurl_media", "parse", "link_names", "mrkdwn"])
_TAKEN = _BODY | _OPTIONS | {"response_type", "replace_original", "delete_original", "thread_ts", "metadata"}


def download(platform: Platform, call: Call, *, is_granted: bool) -> Answer:
    """A file's bytes; without a good token a login page, with status 200, as Slack does it."""
    if not is_granted:
        return 200, _LOGIN_PAGE, {"Content-Type": "text/html; charset=utf-8"}
    path = str(call.arguments["path"]).replace("/download/", "/")
    file = next((one for one in platform.files.values() if one.path == path), None)
    if file is None or file.is_deleted:
        return 404, b"<html><body>File not found</body></html>", {"Content-Type": "text/html"}
    return 200, file.data, {"Content-Type": file.mimetype}


def respond(platform: Platform, call: Call, url: str, problem: RefusedError | None) -> Answer:
    """One of the five answers that a response_url takes within half an hour."""
    try:
        if problem is not None:
            raise problem
        interaction = _open(platform, url)
        unknown = call.arguments.keys() - _TAKEN
        if unknown:
            platform.complaints.append(f"a response_url takes no {sorted(unknown)}")
        show(platform, interaction, call.arguments)
    except RefusedError as refused:
        call.error = refused.error
        return 404, refused.body, {}
    interaction.responses += 1
    return 200, b"ok", {"Content-Type": "text/plain"}


def _open(platform: Platform, url: str) -> Interaction:
    interaction = next((one for one in platform.interactions if one.response_url == url), None)
    if interaction is None:
        raise RefusedError("no_such_response_url")
    if interaction.response_is_over:
        raise RefusedError("expired_url")
    if interaction.responses >= RESPONSES:
        raise RefusedError("used_url")
    return interaction


def show(platform: Platform, interaction: Interaction, said: Json) -> None:
    """Show an answer to a command or a button: to its user, or in the channel, or in place of what was there."""
    source, channel = interaction.source, interaction.channel
    assert channel is not None, "there is nowhere to show it"
    options = {name: one for name, one in said.items() if name in _OPTIONS}
    thread_ts = said.get("thread_ts")
    if said.get("delete_original") and source is not None:
        _remove(platform, source)
    elif said.get("replace_original") and source is not None:
        _replace(platform, source, _body(said))
        source.options |= options
        interaction.messages.append(source)
    elif said.get("response_type") == "in_channel":
        message = platform.post(channel, platform.bot, _body(said), options=options, thread_ts=thread_ts)
        interaction.messages.append(message)
    else:
        message = platform.whisper(channel, interaction.user, _body(said), options=options, thread_ts=thread_ts)
        interaction.messages.append(message)
    platform.changed()


def _body(said: Json) -> Json:
    text = str(said.get("text", ""))
    if not text and not said.get("blocks") and not said.get("attachments"):
        raise RefusedError("no_text")
    if len(text) > _LONGEST:
        raise RefusedError("msg_too_long")
    attachments = {"attachments": said["attachments"]} if said.get("attachments") else {}
    return {"text": text} | attachments | ({"blocks": check_message(said["blocks"])} if said.get("blocks") else {})


def _replace(platform: Platform, source: Message, body: Json) -> None:
    if source.is_ephemeral:
        source.versions.append(body)
    else:
        platform.change(source, body)


def _remove(platform: Platform, source: Message) -> None:
    if source.is_ephemeral:
        source.is_deleted = True
    else:
        platform.erase(source)
