"""Title and author from the YAML front matter of a Markdown file; called by the Markdown reader."""

import re

_FENCE = re.compile(r"---[ \t]*\n")
_LONGEST = 10_000
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_ENTRY = re.compile(r"([A-Za-z_][\w -]*):(?:[ \t]+(.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_COMMENT_OR_CONTINUED = re.compile(r"[ \t#]")


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the entries of the front matter (keys in lower case) and the text behind it."""
    start = _FENCE.match(text)
    close = _CLOSE.search(text, start.end(), start.end() + _LONGEST) if start else None
    if not start or not close:
        return {}, text
    entries = _entries(text[start.end() : close.start()].splitlines())
    return (entries, text[close.end() :]) if entries else ({}, text)


def _entries(lines: list[str]) -> dict[str, str]:
    """Read `key: value`, with lists of one level; anything else means that this is text between two rules."""
    entries: dict[str, str] = {}
    key = ""
    for line in lines:
        if entry := _ENTRY.fullmatch(line):
            key = entry[1].lower()
            entries[key] = _plain(entry[2] or "")
        elif item := _ITEM.fullmatch(line):
            entries[key] = ", ".join(filter(None, (entries.get(key, ""), _plain(item[1]))))
        elif line.strip() and not _COMMENT_OR_CONTINUED.match(line):
            return {}
    return entries


def _plain(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(_plain(part) for part in value[1:-1].split(","))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
