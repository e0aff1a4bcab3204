"""Splits an answer into messages within a platform's limit, at natural boundaries."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_BOUNDARIES: Final = (
    re.compile(r"\n\s*\n"),  # a paragraph
    re.compile(r"\n"),  # a line
    re.compile(r"(?<=[.!?…。！？])[\"”’)\]]*\s+"),  # a sentence
    re.compile(r"\s+"),  # a word
)
# Marks that may begin or end code or a spoiler, unless escaped by a backslash. Fences may begin anywhere in a line.
_MARK: Final = re.compile(r"\\[`|\\]|`+|\|\|")
_FENCE: Final = range(3, 6)
_INFO: Final = re.compile(r"[^\n`]{0,12}(?=\n)")
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
    if len(text) <= limit and not _open_marks(text).closing:
        return text, ""
    room = limit
    while True:
        at = _cut(text, room)
        head, tail = text[:at].rstrip(), text[at:].lstrip("\n ")
        left_open = _open_marks(head)
        too_long = len(head) + len(left_open.closing) - limit
        if too_long <= 0:
            return head + left_open.closing, (left_open.opening + tail if tail else "")
        room -= too_long


def _cut(text: str, room: int) -> int:
    """Return where to cut within `room` characters: the last boundary of the best kind that leaves a decent part."""
    if len(text) <= room:
        return len(text)
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, 0, room + 1) if match.start() <= room]
        if ends and ends[-1] >= room * _LEAST_SHARE:
            return min(ends[-1], room)
    return room


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenMarks:
    """The marks that close what a text leaves open, and those that open it again after a cut."""

    closing: str
    opening: str


def _open_marks(text: str) -> _OpenMarks:
    marks = list(_marks(text))
    fence = marks.pop() if marks and marks[-1][0] != _SPOILER_MARK else None
    spoiler = _SPOILER_MARK if len(marks) % 2 else ""
    if fence is None:
        return _OpenMarks(closing=spoiler, opening=spoiler)
    info = _INFO.match(text, fence.end())
    return _OpenMarks(closing=f"\n{fence[0]}{spoiler}", opening=f"{spoiler}{fence[0]}{info[0] if info else ''}\n")


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the spoiler marks outside of code, and last an unclosed code fence. Code may be inside a spoiler."""
    at = 0
    while (mark := _MARK.search(text, at)) is not None:
        at, run = mark.end(), len(mark[0])
        if mark[0] == _SPOILER_MARK:
            yield mark
        elif mark[0].startswith("`") and run < _FENCE.stop:
            end = _end_of_code(text, at, run)
            if end is None and run in _FENCE:
                yield mark
                return
            at = end or at


def _end_of_code(text: str, begin: int, run: int) -> int | None:
    """Return where code that `run` backticks begin ends; None if it does not end."""
    wanted = f"`{{{run},}}" if run in _FENCE else f"(?<!`)`{{{run}}}(?!`)"
    end = re.compile(wanted).search(text, begin)
    return None if end is None else end.end()
