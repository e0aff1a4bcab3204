"""Cuts an answer into messages of a platform's limit, where a reader would cut it."""

import re
from typing import Final

_BOUNDARIES: Final = (
    re.compile(r"\n\s*\n"),  # a paragraph
    re.compile(r"\n"),  # a line
    re.compile(r"(?<=[.!?…。！？])[\"”’)\]]*\s+"),  # a sentence
    re.compile(r"\s+"),  # a word
)
# What may begin or end code or a spoiler; what a backslash stands before is none. Fences may begin anywhere in a line.
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
    """Return what closes the marks that a text leaves open, and what opens them again behind a cut.

    A spoiler mark within code is none; code may stand within a spoiler.
    """
    in_spoiler, at, fence = False, 0, ("", "")
    while (mark := _MARK.search(text, at)) is not None:
        at, run = mark.end(), len(mark[0])
        if mark[0] == _SPOILER_MARK:
            in_spoiler = not in_spoiler
        elif mark[0].startswith("`") and run < _FENCE.stop:
            end = _end_of_code(text, at, run)
            if end is None and run in _FENCE:
                info = _INFO.match(text, at)
                fence = (f"\n{mark[0]}", f"{mark[0]}{info[0] if info else ''}\n")
                break
            at = end or at
    spoiler = _SPOILER_MARK if in_spoiler else ""
    return fence[0] + spoiler, spoiler + fence[1]


def _end_of_code(text: str, begin: int, run: int) -> int | None:
    """Return where code that so many backticks begin ends; None where it does not, which a single backtick need not."""
    wanted = f"`{{{run},}}" if run in _FENCE else f"(?<!`)`{{{run}}}(?!`)"
    end = re.compile(wanted).search(text, begin)
    return None if end is None else end.end()
