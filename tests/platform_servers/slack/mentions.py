"""What the text of a message means on the loopback Slack: whom it pings, what it links, and what a reader sees.

After Slack's "Formatting message text". Where it does not say what a form does (a bare `@here` inside a `markdown`
block, a mention inside code), the form counts as a ping: a message that nobody is pinged by has to break it.
"""

import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

_USER = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")
_SPECIAL = re.compile(r"<!(channel|here|everyone|group)(?:\|[^>]*)?>")
_GROUP = re.compile(r"<!subteam\^(S[A-Z0-9]+)(?:\|[^>]*)?>")
_BARE = re.compile(r"(?<![\w@])@(channel|here|everyone)\b")
_LINK = re.compile(r"https?://[^\s<>|]+")


def _in_mrkdwn(text: str, *, is_bare_parsed: bool) -> set[str]:
    found = set(_USER.findall(text)) | set(_GROUP.findall(text)) | set(_SPECIAL.findall(text))
    return found | (set(_BARE.findall(text)) if is_bare_parsed else set())


_SAYS = {"plain_text": "plain_text", "mrkdwn": "mrkdwn", "markdown": "markdown", "text": "raw"}
_PINGS = {"user": "user_id", "usergroup": "usergroup_id", "broadcast": "range"}
_UNSEEN = frozenset(["options", "option_groups", "confirm", "metadata"])


def texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every text in blocks, as (kind, text); the kinds: plain_text, mrkdwn, markdown, raw, and ping for rich text."""
    if isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, dict):
        kind = value.get("type")
        if kind in _SAYS and isinstance(value.get("text"), str):
            yield _SAYS[kind], value["text"]
        elif kind == "link":
            yield "raw", str(value.get("text") or value.get("url", ""))
        elif kind in _PINGS:
            yield "ping", str(value.get(_PINGS[kind], ""))
        yield from texts([one for name, one in value.items() if name not in _UNSEEN])


def pings(body: Json, options: Json) -> set[str]:
    """Whom a message would notify, by its text (the fallback included), blocks and attachments.

    Args:
        body: text, blocks and attachments as given.
        options: `parse` and `link_names` as given.
    """
    is_linked = options.get("parse") == "full" or str(options.get("link_names", "")).lower() in ("1", "true")
    is_plain = options.get("mrkdwn") is False
    found = set() if is_plain else _in_mrkdwn(str(body.get("text", "")), is_bare_parsed=is_linked)
    for one in body.get("attachments", []):
        for name in ("text", "pretext", "fallback", "title"):
            found |= _in_mrkdwn(str(one.get(name, "")), is_bare_parsed=is_linked)
    for kind, text in texts([body.get("blocks", []), [one.get("blocks", []) for one in body.get("attachments", [])]]):
        if kind == "ping":
            found.add(text)
        elif kind in ("mrkdwn", "markdown"):
            found |= _in_mrkdwn(text, is_bare_parsed=is_linked or kind == "markdown")
    return found


def shown(body: Json) -> str:
    """What a reader sees, without the labels of buttons and menus: the blocks' words, else the text."""
    lines = []
    for block in body.get("blocks", []):
        if block.get("type") not in ("actions", "context_actions", "input", "plan"):
            section = {name: one for name, one in block.items() if name != "accessory"}
            joint = "" if block.get("type") == "rich_text" else "\n"
            lines.append(joint.join(f"<@{text}>" if kind == "ping" else text for kind, text in texts(section)))
    return "\n".join(lines) if any(lines) else str(body.get("text", ""))


def unfurled(body: Json, options: Json) -> bool:
    """Whether a link in it gets a preview: only where neither `unfurl_links` nor `unfurl_media` is refused."""
    refused = all(str(options.get(name, "")).lower() in ("0", "false") for name in ("unfurl_links", "unfurl_media"))
    words = [str(body.get("text", "")), *(text for _, text in texts(body.get("blocks", [])))]
    return not refused and any(_LINK.search(text) for text in words)
