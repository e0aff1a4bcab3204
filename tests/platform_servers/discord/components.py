"""What Discord accepts as components of a message: rows and buttons, and the layouts of version 2."""

from collections.abc import Iterator
from typing import Any

from tests.platform_servers.discord.calls import RefusedError, invalid
from tests.platform_servers.discord.world import Json

_ROW, _BUTTON, _TEXT_INPUT, _SECTION, _TEXT, _CONTAINER, _LABEL = 1, 2, 4, 9, 10, 17, 18
_SELECTS = range(3, 9)
_SELECT_KINDS = {3, 5, 6, 7, 8}
_VERSION_2_TOP = {_ROW, _SECTION, _TEXT, 12, 13, 14, _CONTAINER}
_LINK_STYLE, _PREMIUM_STYLE = 5, 6
_MOST_TEXT = 4000
_MOST_COMPONENTS = 40
_LONGEST_ID = 100
_LONGEST_LABEL = 80
_MOST_ROWS = 5


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, however deep."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        if "component" in component:
            yield from walk([component["component"]])
        if "accessory" in component:
            yield from walk([component["accessory"]])


def find(components: list[Json], custom_id: str) -> Json | None:
    return next((one for one in walk(components) if one.get("custom_id") == custom_id), None)


def check_components(components: Any, *, version_2: bool) -> None:
    """Raise what Discord would answer."""
    if not isinstance(components, list):
        raise invalid("components", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    found = list(walk(components))
    allowed = _VERSION_2_TOP if version_2 else {_ROW}
    for position, component in enumerate(components):
        if component.get("type") not in allowed:
            raise invalid(
                f"components.{position}.type", "BASE_TYPE_CHOICES", f"Value must be one of {sorted(allowed)}."
            )
    if not version_2 and len(components) > _MOST_ROWS:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", "Must be 5 or fewer in length.")
    if version_2:
        _check_version_2(found)
    for component in found:
        _check_one(component)
    ids = [component["custom_id"] for component in found if "custom_id" in component]
    if len(ids) != len(set(ids)):
        raise invalid("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")


def _check_version_2(found: list[Json]) -> None:
    if len(found) > _MOST_COMPONENTS:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", f"Must be {_MOST_COMPONENTS} or fewer in length.")
    texts = [component.get("content", "") for component in found if component.get("type") == _TEXT]
    if not all(texts) or sum(map(len, texts)) > _MOST_TEXT:
        raise invalid("components", "COMPONENT_MAX_TOTAL_TEXT_SIZE_EXCEEDED", "Text must be 1 to 4000 characters.")


def _check_one(component: Json) -> None:
    kind = component.get("type")
    if kind == _ROW:
        _check_row(component)
    elif kind == _BUTTON:
        _check_button(component)
    elif kind in _SELECTS and kind != _TEXT_INPUT and not 1 <= len(component.get("custom_id", "")) <= _LONGEST_ID:
        raise invalid("components.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _check_row(row: Json) -> None:
    inside = row.get("components", [])
    kinds = {component.get("type") for component in inside}
    buttons = kinds == {_BUTTON} and len(inside) <= _MOST_ROWS
    select = len(inside) == 1 and kinds <= _SELECT_KINDS
    if not buttons and not select:
        raise invalid("components.components", "BASE_TYPE_BAD_LENGTH", "1 to 5 buttons, or one select.")


def _check_button(button: Json) -> None:
    style, custom_id, label = button.get("style"), button.get("custom_id"), button.get("label") or ""
    if len(label) > _LONGEST_LABEL:
        raise invalid("components.label", "BASE_TYPE_BAD_LENGTH", f"Must be {_LONGEST_LABEL} or fewer in length.")
    if not label and not button.get("emoji") and style != _PREMIUM_STYLE:
        raise invalid("components", "BUTTON_COMPONENT_INVALID_EMOJI_OR_LABEL", "A button needs a label or an emoji")
    if style == _LINK_STYLE:
        if "url" not in button or custom_id is not None:
            raise invalid("components.url", "BASE_TYPE_REQUIRED", "A link has a url and no custom id")
    elif style in (1, 2, 3, 4):
        if not isinstance(custom_id, str) or not 1 <= len(custom_id) <= _LONGEST_ID:
            raise invalid("components.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    elif style != _PREMIUM_STYLE:
        raise invalid("components.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")


def check_modal(data: Json) -> None:
    """A form has a title, a custom id and one to five fields."""
    title, custom_id, rows = data.get("title", ""), data.get("custom_id", ""), data.get("components", [])
    if not 1 <= len(title) <= 45 or not 1 <= len(custom_id) <= _LONGEST_ID or not 1 <= len(rows) <= _MOST_ROWS:
        raise invalid("data", "BASE_TYPE_BAD_LENGTH", "A title of 1 to 45, an id of 1 to 100, 1 to 5 components.")
    if any(row.get("type") not in (_ROW, _TEXT, _LABEL) for row in rows):
        raise RefusedError(400, 50035, "Invalid Form Body")
