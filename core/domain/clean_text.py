"""What comes in over a border of the program: text without what breaks a store, a page or the order of words."""

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
"""Nobody counts so far, and Python reads no number of thousands of digits."""
_UNSEEN_RUN: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u3164\ufe00-\ufe0f\ufeff]{3,}"
)
"""One or two of them join an emoji, or letters of some scripts; no script has three in a row."""
_MARK: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_MARKS_RUN: Final = re.compile(f"({_MARK}{{3}}){_MARK}+")


def clean(value: object) -> str:
    """Return a text from outside as the program may store, show and print it; nothing where it is no text.

    Halves of characters (lone surrogates) become question marks, every line end becomes a line feed, and control
    characters, what turns the direction of writing, floods of what nobody sees, and the digits of huge numbers go.
    """
    if not isinstance(value, str):
        return ""
    if value.isalpha() and value.isascii():
        return value
    paired = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    whole = paired.encode("utf-8", "replace").decode()
    plain = _LONG_NUMBER.sub(r"\1", _NEVER.sub("", _LINE_ENDS.sub("\n", whole)))
    return _MARKS_RUN.sub(r"\1", _UNSEEN_RUN.sub("", plain))
