"""Parses a line that numbers a chapter without the word: `XII`, `1.`, `I: The Shore`, `TWO`; called by `rising`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.readers.marks import Mark, can_be_title, mark_of
from core.domain.numbers import leading_number, read_number

_LONGEST: Final = 200
_MOST_LINES: Final = 4
_ROW: Final = 3
_SPELLED: Final = (
    r"(?:the\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|first|second|third|fifth|ninth|twelfth"
    r"|(?:four|six|seven|eigh|ten|eleven|[a-z]{3,6}teen|[a-z]{3,5}tie)th)(?![^\W_])"
)
_NUMBER = re.compile(rf"[\[(_*—–-]*\s*(?:(?P<figure>\d{{1,3}}|[IVXLCDM]+)|(?P<spelled>(?ai:{_SPELLED})))(?![\w'’])")
_BEHIND = re.compile(r"(?P<divider>\s*[.:\])_*—–-]+\s*|\s+|$)(?P<title>.*)")
_CLOSING: Final = ".”’\"'!?"
_OPENING: Final = "“‘\"'"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedLine:
    """A paragraph that begins with a number.

    `script` is how the number is written (roman, digits, spelled). `form` is how its title follows: `bare` without one,
    `divided` by a stop or a new line, `open` after a space only.
    """

    index: int
    text: str
    number: int
    script: str
    form: str


def numbered_line(index: int, text: str) -> NumberedLine | None:
    """Return a paragraph as a numbered heading, or None.

    A part may precede the number: `Part II: The Sea / VII: The Shore`.
    """
    if len(text) > _LONGEST:
        return None
    first, *others = text.split("\n")
    above, slash, line = first.rpartition(" / ")
    if len(others) >= _MOST_LINES or (slash and mark_of(above) is None):
        return None
    match = _NUMBER.match(line)
    number, end = _number(line, match) if match else (0, 0)
    behind = _BEHIND.fullmatch(line, end) if number else None
    if not match or not behind:
        return None
    form = _form(behind["divider"].strip(), behind["title"], " ".join(others))
    return NumberedLine(index=index, text=text, number=number, script=_script(match), form=form) if form else None


def numbered_marks(titles: Sequence[str]) -> list[Mark | None]:
    """Return the marks of titles with a number but without the word: `I: The Shore`; `One` alone if it begins a row."""
    lines = [numbered_line(0, title) for title in titles]
    alone = [line.number for line in lines if line and line.form == "bare" and line.script == "spelled"]
    forms = {"divided", "bare"} if alone[:_ROW] == [*range(1, _ROW + 1)] else {"divided"}
    told = (line if line and line.form in forms else None for line in lines)
    return [Mark(kind="chapter", number=line.number, bare=False) if line else None for line in told]


def _number(line: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the number and the offset after it; 0 if it is no number."""
    if match["figure"]:
        return read_number(match["figure"]) or 0, match.end()
    start = match.start("spelled")
    if not line[start].isupper():
        return 0, 0
    found = leading_number(line[start:])
    return (found.value, start + found.end) if found else (0, 0)


def _script(match: re.Match[str]) -> str:
    if not match["figure"]:
        return "spelled"
    return "digits" if match["figure"].isdigit() else "roman"


def _form(divider: str, title: str, below: str) -> str:
    """Return how a title follows its number, on its line or below it; "" if it is no title."""
    if not title and not below:
        return "bare"
    told = f"{title} {below}".strip().rstrip(_CLOSING).lstrip(_OPENING)
    if not told or not can_be_title(told, divided=bool(title and divider and not below)):
        return ""
    return "divided" if divider or not title else "open"
