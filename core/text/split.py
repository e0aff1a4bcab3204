"""Cuts an answer into messages of a platform's limit, where a reader would cut it."""

import re
from typing import Final

_BOUNDARIES: Final = (
    re.compile(r"\n\s*\n"),  # a paragraph
    re.compile(r"\n"),  # a line
    re.compile(r"(?<=[.!?…。！？])[\"”’)\]]*\s+"),  # a sentence
    re.compile(r"\s+"),  # a word
)
_FENCE: Final = re.compile(r"^(`{3,8}|~{3,8})([^\n`]{0,20})$", re.MULTILINE)
_SPOILER_MARK: Final = "||"
_LEAST_SHARE: Final = 0.5
_LEAST_LIMIT: Final = 64


def split_message(text: str, *, limit: int) -> list[str]:
    """Return the parts of a text, each at most `limit` characters; one part where it fits, none for nothing.

    A cut falls between paragraphs, else lines, sentences, words, and only then within a word. A code fence or a
    spoiler mark (`||`) that a cut would leave open is closed before it and opened again behind it: half a pair would
    reveal what it hides.

    Raises:
        ValueError: the limit is too small to hold anything.
    """
    if limit < _LEAST_LIMIT:
        raise ValueError(f"A message holds at least {_LEAST_LIMIT} characters.")
    parts: list[str] = []
    rest = text.strip()
    while rest:
        part, rest = _first_part(rest, limit)
        if part:
            parts.append(part)
    return parts


def _first_part(text: str, limit: int) -> tuple[str, str]:
    if len(text) <= limit and not _open_marks(text)[0]:
        return text, ""
    room = limit
    while True:
        at = _cut(text, room)
        head, tail = text[:at].rstrip(), text[at:].lstrip("\n ")
        closing, opening = _open_marks(head)
        if len(head) + len(closing) <= limit:
            return head + closing, (opening + tail if tail else "")
        room -= len(head) + len(closing) - limit


def _cut(text: str, room: int) -> int:
    """Return where to cut within `room` characters: the last boundary of the best kind that leaves a decent part."""
    if len(text) <= room:
        return len(text)
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, 0, room + 1) if match.start() <= room]
        if ends and ends[-1] >= room * _LEAST_SHARE:
            return min(ends[-1], room)
    return room


def _open_marks(text: str) -> tuple[str, str]:
    """Return what closes the marks that a text leaves open, and what opens them again behind a cut."""
    fence: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        fence = None if fence and match[1].startswith(fence[1]) and not match[2].strip() else fence or match
    if fence is not None:
        return f"\n{fence[1]}", f"{fence[0]}\n"
    if text.count(_SPOILER_MARK) % 2:
        return _SPOILER_MARK, _SPOILER_MARK
    return "", ""
