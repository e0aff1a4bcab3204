"""Patterns that are compiled when they are first used: all of core's together are a sixth of what `thusfar ask` takes.

Whoever has rules or many patterns makes them here; what every page of a book passes through is compiled at once, by
`re.compile`.
"""

import re
from functools import cached_property
from typing import cast


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return what does all that the compiled pattern does."""
    return cast("re.Pattern[str]", LatePattern(text, flags))


class LatePattern:
    """Stands for a pattern, and has of it what was asked for once: from then on that costs nothing more."""

    def __init__(self, text: str, flags: int) -> None:
        self.given = text, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(*self.given)

    def __getattr__(self, name: str) -> object:
        # Called for what is not there yet: a method of the compiled pattern.
        found: object = getattr(self._compiled, name)
        setattr(self, name, found)
        return found
