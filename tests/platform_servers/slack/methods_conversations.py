"""conversations.* and users.conversations: which channels there are, who is in them, and what stands in them."""

from tests.platform_servers.slack import payloads
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError
from tests.platform_servers.slack.methods_chat import reachable
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Channel, ChannelKind, Json, Message

table = MethodTable()

_READ = "channels:read groups:read im:read mpim:read"
_HISTORY = "channels:history groups:history im:history mpim:history"
_AREAS = {
    ChannelKind.PUBLIC: "channels",
    ChannelKind.PRIVATE: "groups",
    ChannelKind.GROUP_DM: "mpim",
    ChannelKind.DM: "im",
}
_TYPES = {
    ChannelKind.PUBLIC: "public_channel",
    ChannelKind.PRIVATE: "private_channel",
    ChannelKind.GROUP_DM: "mpim",
    ChannelKind.DM: "im",
}


def _need(platform: Platform, scope: str) -> None:
    if scope not in platform.scopes:
        raise RefusedError("missing_scope", needed=scope, provided=",".join(sorted(platform.scopes)))


def _readable(platform: Platform, call: Call, what: str) -> Channel:
    channel = reachable(platform, call.text("channel"))
    _need(platform, f"{_AREAS[channel.kind]}:{what}")
    return channel


def _page(found: list[Json], call: Call, default: int) -> tuple[list[Json], Json]:
    """One page: the cursor says where the next one begins, and is empty on the last."""
    limit = min(call.number("limit", default), 1000) or default
    cursor = str(call.arguments.get("cursor") or "0")
    if not cursor.isdecimal() or int(cursor) > len(found):
        raise RefusedError("invalid_cursor")
    begin = int(cursor)
    end = begin + limit
    return found[begin:end], {"next_cursor": str(end) if end < len(found) else ""}


def _within(messages: list[Message], call: Call) -> list[Message]:
    oldest, latest = float(call.arguments.get("oldest") or 0), float(call.arguments.get("latest") or 2**40)
    if call.flag("inclusive"):
        return [one for one in messages if oldest <= float(one.ts) <= latest]
    return [one for one in messages if oldest < float(one.ts) < latest]


_RANGE = "channel cursor inclusive include_all_metadata latest oldest limit "


@table.on("conversations.replies", _RANGE + "ts", scopes=_HISTORY)
def replies(platform: Platform, call: Call) -> Json:
    channel = _readable(platform, call, "history")
    if platform.bot not in channel.members:
        raise RefusedError("not_in_channel")
    first = channel.messages.get(call.text("ts"))
    if first is None:
        raise RefusedError("thread_not_found")
    # Asked with a reply's ts Slack gives that one message; the first message of a thread is on every page's range.
    thread = channel.thread(first.ts) if first.thread_ts in (None, first.ts) else [first]
    wanted = [one for one in thread if one is first or one in _within(thread, call)]
    with_metadata = call.flag("include_all_metadata")
    shown = [payloads.message(one, platform.team_id, with_metadata=with_metadata) for one in wanted]
    page, following = _page(shown, call, 1000)
    return {"messages": page, "has_more": bool(following["next_cursor"]), "response_metadata": following}


@table.on("conversations.history", _RANGE, scopes=_HISTORY)
def history(platform: Platform, call: Call) -> Json:
    channel = _readable(platform, call, "history")
    if platform.bot not in channel.members:
        raise RefusedError("not_in_channel")
    top = [one for one in channel.history if one.thread_ts in (None, one.ts) or one.broadcast]
    with_metadata = call.flag("include_all_metadata")
    newest_first = list(reversed(_within(top, call)))
    shown = [payloads.message(one, platform.team_id, with_metadata=with_metadata) for one in newest_first]
    page, following = _page(shown, call, 100)
    return {"messages": page, "has_more": bool(following["next_cursor"]), "response_metadata": following}


@table.on("conversations.open", "channel users return_im prevent_creation", scopes="im:write mpim:write")
def open_dm(platform: Platform, call: Call) -> Json:
    if call.arguments.get("channel"):
        channel = reachable(platform, call.text("channel"))
    else:
        keys = [one.strip() for one in call.text("users").split(",")]
        people = [platform.people[one] for one in keys if one in platform.people]
        if len(people) < len(keys):
            raise RefusedError("user_not_found")
        if any(one.is_deleted for one in people):
            raise RefusedError("user_disabled")
        if people == [platform.bot] or platform.slackbot in people or any(one.is_bot for one in people):
            raise RefusedError("cannot_dm_bot")
        _need(platform, "im:write" if len(people) == 1 else "mpim:write")
        channel = platform.dm_with(*people)
    shown = payloads.channel(channel, platform.bot, platform.team_id)
    return {"channel": shown if call.flag("return_im") else {"id": channel.id}}


@table.on("users.conversations", "cursor exclude_archived limit types user", scopes=_READ)
def conversations_of(platform: Platform, call: Call) -> Json:
    person = platform.people.get(str(call.arguments.get("user") or platform.bot.id))
    if person is None:
        raise RefusedError("user_not_found")
    wanted = str(call.arguments.get("types") or "public_channel").split(",")
    unknown = set(wanted) - set(_TYPES.values())
    if unknown:
        raise RefusedError("invalid_types")
    for kind, name in _TYPES.items():
        if name in wanted:
            _need(platform, f"{_AREAS[kind]}:read")
    # Of somebody else's private channels the app is told only those that it is in itself.
    found = [
        payloads.channel(one, platform.bot, platform.team_id)
        for one in platform.channels.values()
        if _TYPES[one.kind] in wanted
        and person in one.members
        and (one.kind is ChannelKind.PUBLIC or platform.bot in one.members)
        and not (call.flag("exclude_archived") and one.is_archived)
    ]
    page, following = _page(found, call, 100)
    return {"channels": page, "response_metadata": following}
