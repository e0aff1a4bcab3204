"""What Slack refuses in blocks, after Block Kit's reference: kinds, lengths, counts, ids, and the size of the whole."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.platform_servers.slack.calls import RefusedError
from tests.platform_servers.slack.mentions import texts
from tests.platform_servers.slack.world import Json

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
MARKDOWN_LONGEST = 12_000
SECTION_LONGEST = 3_000
# Not documented: measured by others, who saw 13,172 to 13,297 by what else stood in the blocks.
ALL_BLOCKS_LONGEST = 13_172

_ANYWHERE = frozenset(["actions", "context", "divider", "header", "image", "rich_text", "section"])
_IN_MESSAGES = _ANYWHERE | {"context_actions", "file", "markdown", "table"}
_IN_VIEWS = _ANYWHERE | {"input"}
_SELECTS = ("static_select", "external_select", "multi_static_select", "multi_external_select", "users_select")
_ELEMENTS = frozenset(("button", "overflow", "checkboxes", "radio_buttons", "datepicker", *_SELECTS))
_INPUTS = frozenset(("plain_text_input", "number_input", "file_input", *_ELEMENTS)) - {"button", "overflow"}

Problems = Iterator[str]


def _problem(words: str, at: str) -> str:
    return f"[ERROR] {words} [json-pointer:{at}]"


def _text(value: Any, at: str, longest: int, kinds: tuple[str, ...] = ("plain_text",)) -> Problems:
    if not isinstance(value, dict) or value.get("type") not in kinds:
        yield _problem(f"must be a text object of {' or '.join(kinds)}", at)
    elif not isinstance(value.get("text"), str) or not value["text"]:
        yield _problem("must be more than 0 characters", f"{at}/text")
    elif len(value["text"]) > longest:
        yield _problem(f"must be less than {longest + 1} characters", f"{at}/text")


def _length(value: Json, name: str, longest: int, at: str) -> Problems:
    if name in value and (not isinstance(value[name], str) or len(value[name]) > longest):
        yield _problem(f"must be less than {longest + 1} characters", f"{at}/{name}")


def _options(value: Json, at: str) -> Problems:
    options = value.get("options", [])
    if not 1 <= len(options) <= 100:
        yield _problem("must have 1 to 100 items", f"{at}/options")
    for number, one in enumerate(options):
        yield from _text(one.get("text"), f"{at}/options/{number}/text", 75, ("plain_text", "mrkdwn"))
        yield from _length(one, "value", 150, f"{at}/options/{number}")


def _element(value: Any, at: str, allowed: frozenset[str]) -> Problems:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in allowed:
        yield _problem(f"unsupported type: {kind}", f"{at}/type")
        return
    yield from _length(value, "action_id", 255, at)
    if kind == "button":
        yield from _text(value.get("text"), f"{at}/text", 75)
        yield from _length(value, "value", 2000, at)
        yield from _length(value, "url", 3000, at)
        if value.get("style", "primary") not in ("primary", "danger"):
            yield _problem("must be primary or danger", f"{at}/style")
    if kind in ("static_select", "multi_static_select") and "option_groups" not in value:
        yield from _options(value, at)
    if "placeholder" in value:
        yield from _text(value["placeholder"], f"{at}/placeholder", 150)
    if "confirm" in value:
        for name, longest in (("title", 100), ("confirm", 30), ("deny", 30)):
            yield from _text(value["confirm"].get(name), f"{at}/confirm/{name}", longest)


def _section(block: Json, at: str) -> Problems:
    kinds = ("plain_text", "mrkdwn")
    if "text" not in block and not block.get("fields"):
        yield _problem("missing required field: text or fields", at)
    if "text" in block:
        yield from _text(block["text"], f"{at}/text", SECTION_LONGEST, kinds)
    if len(block.get("fields", [])) > 10:
        yield _problem("no more than 10 items allowed", f"{at}/fields")
    for number, one in enumerate(block.get("fields", [])):
        yield from _text(one, f"{at}/fields/{number}", 2000, kinds)
    if "accessory" in block:
        yield from _element(block["accessory"], f"{at}/accessory", _ELEMENTS | {"image"})


def _actions(block: Json, at: str) -> Problems:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 25:
        yield _problem("must have 1 to 25 items", f"{at}/elements")
    for number, one in enumerate(elements):
        yield from _element(one, f"{at}/elements/{number}", _ELEMENTS)
    ids = [one.get("action_id") for one in elements if isinstance(one, dict) and one.get("action_id")]
    if len(set(ids)) < len(ids):
        yield _problem("`action_id` already exists", f"{at}/elements")


def _context_actions(block: Json, at: str) -> Problems:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 5:
        yield _problem("must have 1 to 5 items", f"{at}/elements")
    for number, one in enumerate(elements):
        if one.get("type") not in ("feedback_buttons", "icon_button"):
            yield _problem(f"unsupported type: {one.get('type')}", f"{at}/elements/{number}/type")
        for name in ("positive_button", "negative_button"):
            if one.get("type") == "feedback_buttons":
                yield from _text(one.get(name, {}).get("text"), f"{at}/elements/{number}/{name}/text", 75)


def _context(block: Json, at: str) -> Problems:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 10:
        yield _problem("must have 1 to 10 items", f"{at}/elements")
    for number, one in enumerate(elements):
        if one.get("type") != "image":
            yield from _text(one, f"{at}/elements/{number}", 2000, ("plain_text", "mrkdwn"))


def _header(block: Json, at: str) -> Problems:
    yield from _text(block.get("text"), f"{at}/text", 150)


def _markdown(block: Json, at: str) -> Problems:
    if not isinstance(block.get("text"), str) or not block["text"]:
        yield _problem("missing required field: text", at)


def _input(block: Json, at: str) -> Problems:
    yield from _text(block.get("label"), f"{at}/label", 2000)
    if "hint" in block:
        yield from _text(block["hint"], f"{at}/hint", 2000)
    yield from _element(block.get("element"), f"{at}/element", _INPUTS)


_BY_KIND: dict[str, Callable[[Json, str], Problems]] = {
    "section": _section,
    "actions": _actions,
    "context_actions": _context_actions,
    "context": _context,
    "header": _header,
    "markdown": _markdown,
    "input": _input,
}


def problems(blocks: list[Any], allowed: frozenset[str], most: int) -> Problems:
    """What is wrong with blocks, in the words of `response_metadata.messages`."""
    if len(blocks) > most:
        yield _problem(f"no more than {most} items allowed", "/blocks")
    ids: set[str] = set()
    for number, block in enumerate(blocks):
        at = f"/blocks/{number}"
        kind = block.get("type") if isinstance(block, dict) else None
        if kind not in allowed:
            yield _problem(f"unsupported type: {kind}", f"{at}/type")
            continue
        yield from _length(block, "block_id", 255, at)
        if block.get("block_id") in ids:
            yield _problem(f"`block_id` already exists: {block['block_id']}", at)
        ids |= {block["block_id"]} if block.get("block_id") else set()
        if kind in _BY_KIND:
            yield from _BY_KIND[kind](block, at)
    markdown = sum(
        len(str(one.get("text", ""))) for one in blocks if isinstance(one, dict) and one["type"] == "markdown"
    )
    if markdown > MARKDOWN_LONGEST:
        yield _problem(f"markdown text exceeds {MARKDOWN_LONGEST} characters in all", "/blocks")


def check_message(blocks: Any) -> list[Json]:
    """The blocks of a message as Slack keeps them, or what Slack refuses them with."""
    if not isinstance(blocks, list) or not all(isinstance(one, dict) for one in blocks):
        raise RefusedError("invalid_blocks_format")
    found = list(problems(blocks, _IN_MESSAGES, MESSAGE_BLOCKS))
    if found:
        raise RefusedError("invalid_blocks", response_metadata={"messages": found})
    if sum(len(text) for _, text in texts(blocks)) > ALL_BLOCKS_LONGEST:
        raise RefusedError("msg_blocks_too_long")
    return with_ids(blocks)


def view_problems(view: Json) -> Problems:
    """What is wrong with a modal or a Home tab."""
    kind = view.get("type")
    if kind not in ("modal", "home"):
        yield _problem(f"unsupported type: {kind}", "/view/type")
        return
    blocks = view.get("blocks")
    if not isinstance(blocks, list) or not blocks:
        yield _problem("missing required field: blocks", "/view")
        return
    for name in ("title", "submit", "close"):
        if kind == "modal" and (name in view or name == "title"):
            yield from _text(view.get(name), f"/view/{name}", 24)
    has_input = any(isinstance(one, dict) and one.get("type") == "input" for one in blocks)
    if kind == "modal" and has_input and "submit" not in view:
        yield _problem("missing required field: submit", "/view")
    yield from _length(view, "private_metadata", 3000, "/view")
    yield from _length(view, "callback_id", 255, "/view")
    yield from problems(blocks, _IN_VIEWS, VIEW_BLOCKS)


def with_ids(blocks: list[Json]) -> list[Json]:
    """Slack names what the app left unnamed; a `markdown` block keeps no name of the app's."""
    named = []
    for number, block in enumerate(blocks):
        is_named = block.get("block_id") and block["type"] != "markdown"
        named.append(block | ({} if is_named else {"block_id": f"unnamed-{number}"}))
    return named
