"""Finds what can be pressed or filled in within blocks, and writes the state that Slack sends with it."""

from collections.abc import Iterator, Mapping, Sequence

from tests.platform_servers.slack.world import Json


def walk(blocks: Sequence[Json]) -> Iterator[tuple[Json, str]]:
    """Every interactive element, with the block_id of its block."""
    for block in blocks:
        inside = [*block.get("elements", []), block.get("accessory"), block.get("element")]
        for one in inside:
            if not isinstance(one, dict):
                continue
            if one.get("type") == "feedback_buttons":
                # Both buttons bear the action_id of the whole; they differ by value.
                for name in ("positive_button", "negative_button"):
                    part = one[name] | {"type": "feedback_buttons", "action_id": one.get("action_id", "")}
                    yield part, str(block.get("block_id", ""))
            elif "action_id" in one:
                yield one, str(block.get("block_id", ""))


def element_of(blocks: Sequence[Json], action_id: str) -> tuple[Json, str]:
    """The element with this action_id (or "action_id=value"), or the only one whose action_id, or value, begins so."""
    wanted, _, value = action_id.partition("=")
    found = [one for one in walk(blocks) if not value or str(one[0].get("value", "")).startswith(value)]
    exact = [one for one in found if one[0]["action_id"] == wanted]
    near = exact or [one for one in found if str(one[0]["action_id"]).startswith(wanted)]
    assert len(near) == 1, f"{action_id}: there are {[(one['action_id'], one.get('value')) for one, _ in walk(blocks)]}"
    return near[0]


def filled_in(blocks: Sequence[Json], values: Mapping[str, str | Sequence[str] | None]) -> Json:
    """`state.values`: by block_id and action_id, what was typed or chosen, or what the app had set before."""
    state: Json = {}
    unknown = set(values) - {element["action_id"] for element, _ in walk(blocks)}
    assert not unknown, f"nothing to fill in: {sorted(unknown)}"
    for element, block_id in walk(blocks):
        kind = element["type"]
        if kind in ("button", "overflow", "feedback_buttons", "icon_button"):
            continue
        given = values.get(element["action_id"])
        state.setdefault(block_id, {})[element["action_id"]] = {"type": kind} | _state(element, given)
    return state


def _state(element: Json, given: str | Sequence[str] | None) -> Json:
    kind = element["type"]
    if kind in ("plain_text_input", "number_input", "email_text_input", "url_text_input"):
        assert given is None or isinstance(given, str)
        assert len(given or "") <= element.get("max_length", 3000), "Slack's app stops at max_length"
        return {"value": given if given is not None else element.get("initial_value")}
    if kind in ("checkboxes", "multi_static_select", "multi_external_select"):
        chosen = [given] if isinstance(given, str) else list(given or [])
        return {"selected_options": [_option(element, one) for one in chosen] or element.get("initial_options", [])}
    if kind == "users_select":
        return {"selected_user": given if given is not None else element.get("initial_user")}
    assert given is None or isinstance(given, str)
    return {"selected_option": _option(element, given) if given is not None else element.get("initial_option")}


def _option(element: Json, value: str) -> Json:
    """The option with this value; of an external select any, since its options were fetched elsewhere."""
    groups = [one for group in element.get("option_groups", []) for one in group["options"]]
    options = [*element.get("options", []), *groups]
    found = next((one for one in options if one["value"] == value), None)
    assert found or "external" in element["type"], f"{value}: there are {[one['value'] for one in options]}"
    return found or {"text": {"type": "plain_text", "text": value}, "value": value}
