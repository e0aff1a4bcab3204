"""Cleans text from outside of characters that break storage, display or the order of words."""

import re
from typing import Final

_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_NEVER: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # control characters, but for tabs and line ends
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of writing about (UAX #9, section 2)
    "\ufff9-\ufffb\U000e0000-\U000e007f"  # hide a second text
    "\ufdd0-\ufdef\ufffe\uffff]"  # are no characters, and stand for our own mark-up on its way out
)
OUR_MARKS: Final = re.compile("[\ufdd0-\ufdef]")
_LONG_NUMBER: Final = re.compile(r"(\d{24})\d+")
"""Longer numbers are cut, since Python refuses to parse thousands of digits."""
_UNSEEN_RUN: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff]{3,}"
)
"""One or two of them join an emoji, or letters of some scripts; no script has three in a row."""
_MARK: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_MARKS_RUN: Final = re.compile(f"({_MARK}{{3}}){_MARK}+")


def clean(value: object) -> str:
    """Return a text from outside that is safe to store and show; empty if the value is not a text.

    Lone surrogates become question marks, and every line end becomes a line feed. Control characters, characters that
    change the direction of writing, runs of invisible characters, and digits of huge numbers are removed.
    """
    if not isinstance(value, str):
        return ""
    if value.isalpha() and value.isascii():
        return value
    paired = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    whole = paired.encode("utf-8", "replace").decode()
    plain = _LONG_NUMBER.sub(r"\1", _NEVER.sub("", _LINE_ENDS.sub("\n", whole)))
    return _MARKS_RUN.sub(r"\1", _UNSEEN_RUN.sub("", plain))
