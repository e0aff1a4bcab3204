"""The JSON that the loopback Slack writes for people, channels, files and messages."""

from typing import Any

from tests.platform_servers.slack.world import BOT_SLACKBOT, Channel, ChannelKind, File, Json, Message, Person


def user(person: Person, team_id: str) -> Json:
    profile: Json = {
        "real_name": person.name,
        "real_name_normalized": person.name,
        "display_name": person.display_name,
        "display_name_normalized": person.display_name,
        "team": team_id,
    }
    value: Json = {
        "id": person.id,
        "team_id": team_id,
        "name": person.name.lower().replace(" ", "."),
        "deleted": person.is_deleted,
        "profile": profile,
        "is_bot": person.is_bot,
        "is_app_user": False,
        "updated": 1_700_000_000,
    }
    if person.is_deleted:
        return value
    if person.is_bot:
        profile |= {"bot_id": person.bot_id, "api_app_id": person.app_id}
    return value | {
        "real_name": person.name,
        "tz": "Europe/Berlin",
        "tz_label": "Central European Time",
        "tz_offset": 3600,
        "is_admin": person.is_admin or person.is_owner,
        "is_owner": person.is_owner,
        "is_primary_owner": False,
        "is_restricted": person.is_restricted,
        "is_ultra_restricted": False,
    }


def channel(place: Channel, viewer: Person, team_id: str) -> Json:
    value: Json = {
        "id": place.id,
        "created": 1_700_000_000,
        "is_archived": place.is_archived,
        "is_im": place.kind is ChannelKind.DM,
        "is_org_shared": False,
        "context_team_id": team_id,
        "updated": 1_700_000_000_000,
    }
    if place.kind is ChannelKind.DM:
        other = next((one for one in place.members if one is not viewer), viewer)
        return value | {"user": other.id, "is_user_deleted": other.is_deleted, "priority": 0}
    creator = place.creator or (place.members[0] if place.members else viewer)
    return value | {
        "name": place.name,
        "name_normalized": place.name,
        "is_channel": place.kind is not ChannelKind.GROUP_DM and place.kind is ChannelKind.PUBLIC,
        "is_group": place.kind is ChannelKind.PRIVATE,
        "is_mpim": place.kind is ChannelKind.GROUP_DM,
        "is_private": place.kind is not ChannelKind.PUBLIC,
        "is_general": False,
        "is_shared": False,
        "is_ext_shared": False,
        "is_member": viewer in place.members,
        "creator": creator.id,
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "previous_names": [],
    }


def file(stored: File) -> Json:
    if stored.access == "check_file_info":
        # What events carry in channels shared with other workspaces: the rest is told by files.info alone.
        return {"id": stored.id, "mode": "file_access", "file_access": "check_file_info"}
    return file_info(stored)


def file_info(stored: File) -> Json:
    extension = stored.name.rpartition(".")[2]
    return {
        "id": stored.id,
        "created": stored.created,
        "timestamp": stored.created,
        "name": stored.name,
        "title": stored.name,
        "mimetype": stored.mimetype,
        "filetype": extension,
        "pretty_type": extension.upper(),
        "user": stored.owner.id,
        "editable": False,
        "size": stored.size,
        "mode": stored.mode,
        "is_external": False,
        "external_type": "",
        "is_public": any(one.kind is ChannelKind.PUBLIC for one in stored.channels),
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": stored.url,
        "url_private_download": stored.url.replace(f"/{stored.name}", f"/download/{stored.name}"),
        "permalink": stored.url,
        "channels": [one.id for one in stored.channels if one.kind is ChannelKind.PUBLIC],
        "groups": [one.id for one in stored.channels if one.kind in (ChannelKind.PRIVATE, ChannelKind.GROUP_DM)],
        "ims": [one.id for one in stored.channels if one.kind is ChannelKind.DM],
        "file_access": "visible",
    }


def _rich_text(text: str) -> Json:
    """The block that Slack's own app sends beside the text that somebody typed."""
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "block_id": "typed", "elements": [section]}


def message(one: Message, team_id: str, *, with_metadata: bool = False) -> Json:
    """A message as in events and in conversations.history."""
    value: Json = {"type": "message", "ts": one.ts, "text": one.text, "team": team_id}
    if one.subtype is not None:
        value["subtype"] = one.subtype
    value |= _author(one)
    value |= {name: one.body[name] for name in ("blocks", "attachments") if one.body.get(name)}
    if one.files:
        value |= {"files": [file(stored) for stored in one.files], "upload": False, "display_as_bot": False}
    if one.edited_ts is not None:
        value["edited"] = {"user": one.author.id, "ts": one.edited_ts}
    if one.metadata is not None:
        value["metadata"] = one.metadata if with_metadata else {"event_type": one.metadata["event_type"]}
    return value | _thread(one) | _reactions(one)


def _author(one: Message) -> Json:
    bot = one.author
    value: Json = {"bot_id": bot.bot_id, "app_id": bot.app_id} if bot.is_bot else {}
    if one.subtype == "bot_message":
        return value | {"username": one.username or bot.name}
    if bot.is_bot:
        value["bot_profile"] = {"id": bot.bot_id, "name": bot.name, "app_id": bot.app_id}
    if one.client_msg_id:
        value |= {"client_msg_id": one.client_msg_id, "blocks": [_rich_text(one.text)]}
    return value | {"user": bot.id}


def _thread(one: Message) -> Json:
    replies = [other for other in one.channel.history if other.thread_ts == one.ts and other.ts != one.ts]
    if one.thread_ts is not None and one.thread_ts != one.ts:
        parent = one.channel.messages.get(one.thread_ts)
        return {"thread_ts": one.thread_ts, "parent_user_id": parent.author.id if parent else BOT_SLACKBOT}
    if not replies:
        return {}
    return {
        "thread_ts": one.ts,
        "reply_count": len(replies),
        "reply_users_count": len({other.author.id for other in replies}),
        "reply_users": sorted({other.author.id for other in replies}),
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": False,
    }


def _reactions(one: Message) -> Json:
    found = [{"name": name, "users": users, "count": len(users)} for name, users in one.reactions.items()]
    return {"reactions": found} if found else {}


def event_callback(event: Json, *, event_id: str, team_id: str, app_id: str, bot: Person, at: float) -> dict[str, Any]:
    """What wraps an event, over both connections."""
    return {
        "token": "deprecated-verification-token",
        "team_id": team_id,
        "context_team_id": team_id,
        "context_enterprise_id": None,
        "api_app_id": app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(at),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team_id,
                "user_id": bot.id,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": f"4-{event_id}",
    }
