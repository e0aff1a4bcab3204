"""Splits plain text into paragraphs: joins wrapped lines, keeps verse; called by the text and Markdown readers.

Only white space changes: all words of the text stay, in order.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from adapters.readers.marks import mark_of

_WRAPPED_AT_MOST = 120
_WRAPPED_AT_LEAST = 50
_SLACK = 4
_FORCED = 0.75
_VERSE_CAPITALS = 0.9
_VERSE_LINES = 4
_ENDED_LINES = 0.7
_SENTENCE_END = re.compile(r"[.!?:…—][\"'”’»)\]_*]*$")
_FIRST_LETTER = re.compile(r"[^\W_]")


def wrap_width(text: str) -> int:
    """Return the column at which a text was wrapped; 0 if its lines are not wrapped prose."""
    lengths: list[int] = []
    previous = 0
    for line in text.split("\n"):
        length = len(line.strip())
        if previous and length:  # a paragraph's last line says nothing about the width
            lengths.append(previous)
        previous = length
    if not lengths:
        return 0
    width = sorted(lengths)[len(lengths) * 9 // 10]
    return width if _WRAPPED_AT_LEAST <= width <= _WRAPPED_AT_MOST else 0


def paragraphs_of(text: str, width: int) -> list[str]:
    """Split a text at empty lines, headings and indents; `width` is `wrap_width` of the whole book."""
    found: list[str] = []
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            block.append(line)
        elif block:
            found.extend(_paragraphs_of_block(block, width))
            block = []
    return found


def unwrap(lines: Sequence[str], width: int) -> list[str]:
    """Join the lines of one block into paragraphs; lines that are not wrapped prose stay lines."""
    stripped = [line.strip() for line in lines]
    if len(stripped) == 1:
        return stripped
    if max(map(len, stripped)) > _WRAPPED_AT_MOST:
        return stripped  # one line is one paragraph here
    forced = [_is_forced(line, following, width) for line, following in pairwise(stripped)]
    if not width or sum(forced) < _FORCED * len(forced) or _looks_like_verse(stripped):
        return stripped if _each_line_ends(stripped) else ["\n".join(stripped)]
    return _joined(lines, stripped, forced)


def _joined(lines: Sequence[str], stripped: Sequence[str], forced: Sequence[bool]) -> list[str]:
    """Join wrapped lines; a paragraph ends at a sentence end before the line is full, or before an indent."""
    found: list[list[str]] = [[stripped[0]]]
    margin = min(map(_indent, lines))
    for line, above, was_forced, raw in zip(stripped[1:], stripped, forced, lines[1:], strict=False):
        ended = not was_forced and _SENTENCE_END.search(above)
        if ended or _indent(raw) > margin + 1:
            found.append([line])
        else:
            found[-1].append(line)
    return [" ".join(paragraph) for paragraph in found]


def _paragraphs_of_block(block: list[str], width: int) -> list[str]:
    # Some books have no empty line between a heading and its text.
    found: list[str] = []
    start = 0
    while start < len(block) - 1 and mark_of(block[start].strip()):
        found.append(block[start].strip())
        start += 1
    rest = block[start:]
    if _is_wrapped_heading(found, rest):
        return [" ".join([*found, *(line.strip() for line in rest)])]
    return [*found, *unwrap(rest, width)]


def _is_wrapped_heading(heading: list[str], rest: list[str]) -> bool:
    """Whether a heading continues on the next line: it fills its line, and both together are still a heading."""
    return (
        len(heading) == 1
        and len(rest) == 1
        and len(heading[0]) >= _WRAPPED_AT_LEAST
        and mark_of(f"{heading[0]} {rest[0].strip()}") is not None
    )


def _is_forced(line: str, following: str, width: int) -> bool:
    """Whether the next word would not have fitted on the line."""
    return len(line) + 1 + len(following.split(maxsplit=1)[0]) > width - _SLACK


def _looks_like_verse(lines: Sequence[str]) -> bool:
    letters = [match.group() for line in lines if (match := _FIRST_LETTER.search(line))]
    return len(lines) >= _VERSE_LINES and sum(c.isupper() for c in letters) >= _VERSE_CAPITALS * len(lines)


def _each_line_ends(lines: Sequence[str]) -> bool:
    ended = sum(1 for line in lines if _SENTENCE_END.search(line))
    return len(lines) >= _VERSE_LINES and ended >= _ENDED_LINES * len(lines)


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
