"""What Discord accepts as the body of a message, in a channel and in the answer to an interaction."""

from typing import Any

from tests.platform_servers.discord.calls import Call, RefusedError, invalid
from tests.platform_servers.discord.components import check_components
from tests.platform_servers.discord.message_payloads import PERMITTED_FILE
from tests.platform_servers.discord.platform import Draft, Platform
from tests.platform_servers.discord.world import COMPONENTS_V2, EPHEMERAL, SUPPRESS_EMBEDS, Channel, Json, Message

_LONGEST_CONTENT = 2000
_LONGEST_NONCE = 25
_MOST_FILES = 10
_LONGEST_DESCRIPTION = 1_024
_SUPPRESS_NOTIFICATIONS = 1 << 12
_SETTABLE = SUPPRESS_EMBEDS | _SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
_EMBED_LIMITS = (("title", 256), ("description", 4096))
_LARGEST_EMBEDS = 6000
_PARSED = {"users", "roles", "everyone"}


def draft_of(platform: Platform, call: Call, body: Json, channel: Channel, *, to_interaction: bool = False) -> Draft:
    """The message that a body asks for, checked; its files are stored."""
    flags = body.get("flags") or 0
    draft = Draft(
        content=_content(body),
        embeds=_embeds(body.get("embeds") or []),
        components=body.get("components") or [],
        flags=flags & (_SETTABLE | (EPHEMERAL if to_interaction else 0)),
        nonce=_nonce(body),
        allowed_mentions=_allowed_mentions(body.get("allowed_mentions")),
        attachments=_files(platform, call, body, channel),
    )
    check_components(draft.components, version_2=bool(draft.flags & COMPONENTS_V2))
    _check_not_empty(draft)
    return draft


def apply_edit(platform: Platform, call: Call, body: Json, message: Message) -> None:
    """Change a message as a PATCH asks; what the body leaves out stays."""
    flags = message.flags
    if "flags" in body:
        flags = message.flags & ~_SETTABLE | (body["flags"] or 0) & _SETTABLE
        if message.flags & COMPONENTS_V2 and not flags & COMPONENTS_V2:
            raise invalid("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2", "The flag cannot be unset")
    draft = Draft(
        content=_content(body) if "content" in body else message.contents[-1],
        embeds=_embeds(body["embeds"] or []) if "embeds" in body else message.embeds,
        components=(body["components"] or []) if "components" in body else message.components,
        allowed_mentions=_allowed_mentions(body.get("allowed_mentions")),
        flags=flags,
        attachments=_kept_and_new(platform, call, body, message),
    )
    check_components(draft.components, version_2=bool(flags & COMPONENTS_V2))
    _check_not_empty(draft)
    if draft.content != message.contents[-1]:
        message.contents.append(draft.content)
    message.embeds, message.components, message.flags = draft.embeds, draft.components, flags
    message.attachments, message.is_edited = draft.attachments, True


def _content(body: Json) -> str:
    content = body.get("content")
    if content is None:
        return ""
    if not isinstance(content, str):
        raise invalid("content", "STRING_TYPE_CONVERT", "Could not interpret value as string.")
    # Discord trims a message before it looks at it.
    content = content.strip()
    if len(content) > _LONGEST_CONTENT:
        raise invalid("content", "BASE_TYPE_MAX_LENGTH", f"Must be {_LONGEST_CONTENT} or fewer in length.")
    return content


def _nonce(body: Json) -> str | None:
    nonce = body.get("nonce")
    if nonce is not None and len(str(nonce)) > _LONGEST_NONCE:
        raise invalid("nonce", "NONCE_TYPE_TOO_LONG", f"Must be {_LONGEST_NONCE} or fewer in length.")
    return None if nonce is None else str(nonce)


def _embeds(embeds: list[Json]) -> list[Json]:
    if len(embeds) > 10:
        raise invalid("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    total = 0
    for position, embed in enumerate(embeds):
        fields = embed.get("fields", [])
        texts = [embed.get("footer", {}).get("text", ""), embed.get("author", {}).get("name", "")]
        texts += [part for one in fields for part in (one["name"], one["value"])]
        for name, limit in _EMBED_LIMITS:
            texts.append(embed.get(name) or "")
            if len(texts[-1]) > limit:
                raise invalid(f"embeds.{position}.{name}", "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer.")
        if len(fields) > 25 or any(len(one["name"]) > 256 or len(one["value"]) > 1024 for one in fields):
            raise invalid(f"embeds.{position}.fields", "BASE_TYPE_MAX_LENGTH", "25 fields of 256 and 1024.")
        total += sum(map(len, texts))
    if total > _LARGEST_EMBEDS:
        raise invalid("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return embeds


def _allowed_mentions(value: Any) -> Json | None:
    if value is None:
        return None
    parse = value.get("parse", [])
    if not set(parse) <= _PARSED:
        raise invalid("allowed_mentions.parse", "BASE_TYPE_CHOICES", f"Value must be one of {sorted(_PARSED)}.")
    for kind in ("users", "roles"):
        if kind in parse and value.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            raise invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
        if len(value.get(kind, [])) > 100:
            raise invalid(f"allowed_mentions.{kind}", "BASE_TYPE_MAX_LENGTH", "Must be 100 or fewer in length.")
    return dict(value)


def _files(platform: Platform, call: Call, body: Json, channel: Channel) -> list[Any]:
    if len(call.uploads) > _MOST_FILES:
        raise RefusedError(400, 30015, "Maximum number of attachments in a message reached (10)")
    if any(len(upload.data) > PERMITTED_FILE for upload in call.uploads):
        raise RefusedError(413, 40005, "Request entity too large")
    told = {f"files[{one.get('id')}]": one for one in body.get("attachments") or []}
    stored = []
    for one in call.uploads:
        about = told.get(one.field_name, {})
        description = str(about.get("description") or "")
        if len(description) > _LONGEST_DESCRIPTION:
            raise invalid("attachments.0.description", "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.")
        name = about.get("filename") or one.filename
        stored.append(platform.store_file(name, one.data, "application/octet-stream", channel.id, description))
    return stored


def _kept_and_new(platform: Platform, call: Call, body: Json, message: Message) -> list[Any]:
    new = _files(platform, call, body, message.channel)
    if "attachments" not in body:
        return message.attachments + new
    kept = {str(one.get("id")) for one in body["attachments"] or []}
    return [one for one in message.attachments if str(one.id) in kept] + new


def _check_not_empty(draft: Draft) -> None:
    version_2 = draft.flags & COMPONENTS_V2
    if version_2 and (draft.content or draft.embeds):
        raise invalid("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "Not with IS_COMPONENTS_V2")
    if not draft.content and not draft.embeds and not draft.attachments and not draft.components:
        raise RefusedError(400, 50006, "Cannot send an empty message")
