"""Patterns that are compiled when they are first used: all of core's together are a sixth of what `thusfar ask` takes.

Whoever has rules or many patterns makes them here; what every page of a book passes through is compiled at once, by
`re.compile`.
"""

import re
from functools import cached_property
from typing import Final, cast


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return what does all that the compiled pattern does."""
    pattern = LatePattern(text, flags)
    _MADE.append(pattern)
    return cast("re.Pattern[str]", pattern)


def compile_patterns() -> int:
    """Compile all that there are, so that no question waits for them; return how many."""
    for pattern in _MADE:
        _ = pattern.compiled
    return len(_MADE)


class LatePattern:
    """Stands for a pattern, and has of it what was asked for once: from then on that costs nothing more."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(*self._given)

    def __reduce__(self) -> tuple[type["LatePattern"], tuple[str, int]]:
        return LatePattern, self._given

    def __getattr__(self, name: str) -> object:
        # Called for what is not there yet: a method of the compiled pattern.
        found: object = getattr(self.compiled, name)
        setattr(self, name, found)
        return found


_MADE: Final[list[LatePattern]] = []
