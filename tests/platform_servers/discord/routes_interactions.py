"""REST on interactions: the callback with its deadline and its kinds, and the messages sent through the token."""

from typing import Any

from tests.platform_servers.discord.calls import THREAD_IS_ARCHIVED, Call, RefusedError, RouteTable, invalid, snowflake
from tests.platform_servers.discord.components import check_modal
from tests.platform_servers.discord.interactions import Interaction, InteractionKind
from tests.platform_servers.discord.platform import Draft, Platform
from tests.platform_servers.discord.routes_messages import shown
from tests.platform_servers.discord.validation import apply_edit, draft_of
from tests.platform_servers.discord.world import EPHEMERAL, LOADING, Json, Message, MessageKind

table = RouteTable()

_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _CHOICES, _MODAL = 4, 5, 6, 7, 8, 9
_ALLOWED = {
    InteractionKind.COMMAND: (_MESSAGE, _DEFERRED, _MODAL),
    InteractionKind.COMPONENT: (_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _MODAL),
    InteractionKind.AUTOCOMPLETE: (_CHOICES,),
    InteractionKind.MODAL: (_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE),
}
_MOST_CHOICES = 25
_FOLLOW_UP = "/webhooks/{application}/{token}"
_ONE = _FOLLOW_UP + "/messages/{message}"


@table.on("POST", "/interactions/{interaction}/{token}/callback", needs_bot=False)
def respond(platform: Platform, call: Call) -> Json | None:
    interaction = platform.interactions.get(call.params["token"])
    unknown = interaction is None or str(interaction.id) != call.params["interaction"]
    if interaction is None or unknown or (interaction.response is None and not interaction.accepts_response):
        raise RefusedError(404, 10062, "Unknown interaction")
    if interaction.response is not None:
        raise RefusedError(400, 40060, "Interaction has already been acknowledged.")
    kind, data = call.json.get("type"), call.json.get("data") or {}
    no_source = kind in (_DEFERRED_UPDATE, _UPDATE) and interaction.source is None
    if kind not in _ALLOWED[interaction.kind] or no_source:
        raise invalid("type", "BASE_TYPE_CHOICES", f"Value must be one of {_ALLOWED[interaction.kind]}.")
    _carry_out(platform, call, interaction, kind, data)
    interaction.response = {**call.json, "data": data}
    platform.changed()
    if call.query.get("with_response") not in ("1", "true"):
        return None
    return _callback(platform, interaction, kind)


def _carry_out(platform: Platform, call: Call, interaction: Interaction, kind: Any, data: Json) -> None:
    if kind == _MESSAGE:
        draft = draft_of(platform, call, data, interaction.channel, to_interaction=True)
        interaction.original = _show(platform, interaction, draft)
    elif kind == _DEFERRED:
        waiting = Draft(flags=LOADING | data.get("flags", 0) & EPHEMERAL)
        interaction.original = _show(platform, interaction, waiting)
    elif kind == _CHOICES:
        _check_choices(data)
    elif kind == _MODAL:
        check_modal(data)
    else:
        interaction.original = interaction.source
        if kind == _UPDATE and interaction.source is not None:
            _edit(platform, call, data, interaction.source)


def _callback(platform: Platform, interaction: Interaction, kind: Any) -> Json:
    original = interaction.original
    told: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    value: Json = {"interaction": told}
    if original is not None:
        told["response_message_id"] = str(original.id)
        told["response_message_loading"] = bool(original.flags & LOADING)
        told["response_message_ephemeral"] = original.is_ephemeral
        value["resource"] = {"type": kind, "message": shown(platform, original)}
    return value


def _check_choices(data: Json) -> None:
    choices = data.get("choices")
    if not isinstance(choices, list) or len(choices) > _MOST_CHOICES:
        raise invalid("data.choices", "BASE_TYPE_MAX_LENGTH", f"Must be {_MOST_CHOICES} or fewer in length.")
    for position, choice in enumerate(choices):
        for key in ("name", "value"):
            text = choice.get(key)
            if text is None or (isinstance(text, str) and not 1 <= len(text) <= 100):
                message = "Must be between 1 and 100 in length."
                raise invalid(f"data.choices.{position}.{key}", "BASE_TYPE_BAD_LENGTH", message)


def _show(platform: Platform, interaction: Interaction, draft: Draft) -> Message:
    """The response as a message: in the channel, or ephemeral and known to its reader alone."""
    more: Json = {
        "kind": MessageKind.COMMAND if interaction.kind is InteractionKind.COMMAND else None,
        "webhook_id": platform.bot.id,
        "interaction_id": interaction.id,
        "asked_by": interaction.user,
        "pings_everyone_by_default": False,
    }
    if draft.flags & EPHEMERAL:
        return platform.compose(interaction.channel, platform.bot, draft, **more)
    if interaction.channel.archived:
        raise THREAD_IS_ARCHIVED
    return platform.post(interaction.channel, platform.bot, draft, **more)


def _edit(platform: Platform, call: Call, body: Json, message: Message) -> None:
    if message.channel.archived and not message.is_ephemeral:
        raise THREAD_IS_ARCHIVED
    was_loading = message.flags & LOADING
    apply_edit(platform, call, body, message)
    if was_loading:
        message.flags &= ~LOADING
        message.is_edited = False
        message.contents = message.contents[-1:]
    if not message.is_ephemeral:
        platform.tell_message("MESSAGE_UPDATE", message)
    platform.changed()


@table.on("POST", _FOLLOW_UP, needs_bot=False)
def follow_up(platform: Platform, call: Call) -> Json:
    """A message more; the first one after a deferral takes the place, and the visibility, of what was deferred."""
    interaction = _interaction(platform, call)
    original = interaction.original
    if original is not None and original.flags & LOADING:
        _edit(platform, call, {**call.json, "flags": call.json.get("flags", 0)}, original)
        return shown(platform, original)
    draft = draft_of(platform, call, call.json, interaction.channel, to_interaction=True)
    if original is not None and not original.is_deleted:
        draft.reply_to = original
        draft.reference = {"type": 0, "message_id": str(original.id), "channel_id": str(original.channel.id)}
    interaction.followups.append(_show(platform, interaction, draft))
    platform.changed()
    return shown(platform, interaction.followups[-1])


@table.on("GET", _ONE, needs_bot=False)
def get_one(platform: Platform, call: Call) -> Json:
    return shown(platform, _message(platform, call)[1])


@table.on("PATCH", _ONE, needs_bot=False)
def edit_one(platform: Platform, call: Call) -> Json:
    _, message = _message(platform, call)
    _edit(platform, call, call.json, message)
    return shown(platform, message)


@table.on("DELETE", _ONE, needs_bot=False)
def delete_one(platform: Platform, call: Call) -> None:
    _, message = _message(platform, call)
    if message.is_ephemeral:
        message.is_deleted = True
    else:
        platform.erase(message)
    platform.changed()


def _interaction(platform: Platform, call: Call) -> Interaction:
    interaction = platform.interactions.get(call.params["token"])
    if interaction is None or call.params["application"] != str(platform.bot.id) or interaction.response is None:
        raise RefusedError(404, 10015, "Unknown Webhook")
    if not interaction.accepts_followups:
        raise RefusedError(401, 50027, "Invalid Webhook Token")
    return interaction


def _message(platform: Platform, call: Call) -> tuple[Interaction, Message]:
    interaction = _interaction(platform, call)
    found = interaction.original
    if call.params["message"] != "@original":
        wanted = snowflake(call.params["message"], "message_id")
        own = [interaction.original, *interaction.followups]
        found = next((one for one in own if one is not None and one.id == wanted), None)
    if found is None or found.is_deleted:
        raise RefusedError(404, 10008, "Unknown Message")
    return interaction, found
