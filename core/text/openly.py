"""What a member's post says openly, in their own words: not what they hid or quoted, and not whom they mention."""

import re
from typing import Final

_HIDDEN: Final = re.compile(r"\|\|.+?\|\||>!(?:(?!>!).)+?!<", re.DOTALL)
"""From each `>!` it looks no further than to the next one: a post full of them takes no longer than another."""
_CODE: Final = re.compile(r"```.+?```", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>(?!>>)[^\n]*", re.MULTILINE)
_QUOTED_REST: Final = re.compile(r"^[ \t]*>>>.*", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"<?\bhttps?://\S+")
_EMOJI: Final = re.compile(r":[\w+-]+:")
_MENTIONED: Final = re.compile(r"[@#]\w+(?:[ ]+[^\W\d_a-zß-öø-ÿ]\w*)*")
_APART: Final = "\n\n"
"""What is left on both sides of a cut belongs to no common sentence."""


def said_openly(text: str) -> str:
    """Return what a post says for all to read; empty for nothing.

    Left out is what stands between spoiler bars (also where the platform has none: their writer meant to hide it),
    what is quoted (`> `), links, names of emoji, and people who are mentioned, by as many names as they have.
    """
    for cut in (_CODE, _HIDDEN, _QUOTED_REST, _QUOTED_LINE):
        text = cut.sub(_APART, text)
    for nobody in (_LINK, _EMOJI, _MENTIONED):
        text = nobody.sub(" ", text)
    return text.strip()
