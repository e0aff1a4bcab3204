"""Where somebody is spoken to by name ("You are welcome, Ana."): that tells nothing of any book."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

_PATTERNS_KEPT: Final = 256


def without_address(text: str, names: Collection[str]) -> str:
    """Return a text without the names of those it speaks to: between commas, behind a greeting, or before a comma."""
    if not any(name and name in text for name in names):
        return text
    return _address(tuple(sorted(filter(None, names)))).sub("", text)


@lru_cache(maxsize=_PATTERNS_KEPT)
def _address(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of what belongs to an address: the name, and the comma that sets it apart."""
    name = rf"(?:{'|'.join(map(re.escape, names))})"
    return re.compile(
        rf",\s+{name}(?=\s*(?:[,.!?:;…)\-–—]|$))"
        rf"|^{name},\s+"
        rf"|(?<=[.!?:;]\s){name},\s+"
        rf"|(?i:(?<=\bhi)|(?<=\bhey)|(?<=\bhello)|(?<=\bdear)|(?<=\bthanks)|(?<=\bsorry)|(?<=\byou)|(?<=\bwelcome)"
        rf"|(?<=\bcongratulations))\s+{name}(?=\s*(?:[,.!?:;…)\-–—]|$))"
    )
