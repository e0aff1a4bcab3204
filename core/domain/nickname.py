"""Names that members give themselves are data: what of them goes along with what they say."""

import re
from typing import Final

A_MEMBER: Final = "A member"
_PARTS_OF_A_PROMPT: Final = frozenset(("you", "system", "assistant", "user", "tool", "passages", "pages", "message"))
_PLAIN = re.compile(r"[^\W\d_][\w.'’-]{0,23}")


def called(display_name: str) -> str:
    """Return the first word of a display name where it is a plain name; whatever else it says is left out."""
    first = next(iter(display_name.split()), "")
    return first if _PLAIN.fullmatch(first) and first.casefold() not in _PARTS_OF_A_PROMPT else A_MEMBER
