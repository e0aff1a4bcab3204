"""views.*: modals opened with a trigger, changed, pushed, and the Home tab."""

import json

from tests.platform_servers.slack.blocks import view_problems, with_ids
from tests.platform_servers.slack.calls import Call, MethodTable, RefusedError, invalid_arguments
from tests.platform_servers.slack.interactions import Interaction, View
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json, Person

table = MethodTable()

_LARGEST = 250_000


def checked(view: Json) -> Json:
    """A view as Slack keeps it, or what Slack refuses it with."""
    if len(json.dumps(view)) > _LARGEST:
        raise RefusedError("view_too_large")
    found = list(view_problems(view))
    if found:
        raise invalid_arguments(*found)
    return view | {"blocks": with_ids(view["blocks"])}


def _view_of(call: Call, kind: str) -> Json:
    view = call.structure("view", "invalid_arguments")
    if not isinstance(view, dict):
        raise invalid_arguments("[ERROR] missing required field: view")
    if view.get("type") != kind:
        raise invalid_arguments(f"[ERROR] must be a {kind} [json-pointer:/view/type]")
    return checked(view)


def _exchange(platform: Platform, call: Call) -> Interaction:
    """A trigger_id is good once, for three seconds."""
    trigger = call.text("trigger_id")
    interaction = next((one for one in platform.interactions if one.trigger_id == trigger), None)
    if interaction is None:
        raise RefusedError("invalid_trigger_id")
    if interaction.trigger_used:
        raise RefusedError("exchanged_trigger_id")
    if interaction.trigger_is_over:
        raise RefusedError("expired_trigger_id")
    interaction.trigger_used = True
    return interaction


def new_view(platform: Platform, content: Json, owner: Person) -> View:
    key = platform.ids.new("V")
    view = View(id=key, versions=[content], owner=owner, hash=platform.ids.ts(), root_id=key)
    platform.views[key] = view
    return view


def shown(platform: Platform, view: View, values: Json | None = None) -> Json:
    """A view as in answers and in interactions; `values` is what was filled in."""
    content = view.content
    value: Json = {
        "id": view.id,
        "team_id": platform.team_id,
        "app_id": platform.app_id,
        "app_installed_team_id": platform.team_id,
        "bot_id": platform.bot.bot_id,
        "hash": view.hash,
        "root_view_id": view.root_id,
        "previous_view_id": view.previous_id,
        "title": None,
        "submit": None,
        "close": None,
        "callback_id": "",
        "external_id": "",
        "private_metadata": "",
        "clear_on_close": False,
        "notify_on_close": False,
    }
    return value | content | {"state": {"values": values or {}}}


@table.on("views.open", "trigger_id interactivity_pointer view")
def open_view(platform: Platform, call: Call) -> Json:
    content = _view_of(call, "modal")
    interaction = _exchange(platform, call)
    view = new_view(platform, content, interaction.user)
    view.channel, view.source = interaction.channel, interaction.source
    interaction.opened.append(view)
    platform.changed()
    return {"view": shown(platform, view)}


@table.on("views.publish", "user_id view hash")
def publish(platform: Platform, call: Call) -> Json:
    content = _view_of(call, "home")
    person = platform.people.get(call.text("user_id"))
    if person is None or person.is_bot:
        raise invalid_arguments("[ERROR] user_id is not valid [json-pointer:/user_id]")
    home = platform.homes.get(person.id)
    if home is not None and call.arguments.get("hash", home.hash) != home.hash:
        raise RefusedError("hash_conflict")
    if home is None:
        home = platform.homes[person.id] = new_view(platform, content, person)
    else:
        home.versions.append(content)
        home.hash = platform.ids.ts()
    platform.changed()
    return {"view": shown(platform, home)}
