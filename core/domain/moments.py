"""Time marks in a text; each platform shows them in the reader's own time zone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

_MARK: Final = re.compile(r"<t:(\d{1,11}):F>")
_ESCAPED: Final = re.compile(r"&lt;t:(\d{1,11}):F&gt;")


def marked(moment: datetime) -> str:
    """Return the mark for a time, in Discord's syntax; no other text of ours contains it."""
    return f"<t:{moment.timestamp():.0f}:F>"


def has_marks(text: str) -> bool:
    """Whether a text contains a time mark."""
    return _MARK.search(text) is not None


def shown(text: str, show: Callable[[datetime], str], *, escaped: bool = False) -> str:
    """Return a text, escaped for HTML or not, with each mark replaced by what `show` returns."""
    return (_ESCAPED if escaped else _MARK).sub(lambda mark: show(datetime.fromtimestamp(int(mark[1]), UTC)), text)


def written_out(moment: datetime) -> str:
    """Return a time in words, in its own time zone."""
    return f"{moment:%A, %-d %B %Y, %H:%M}"
