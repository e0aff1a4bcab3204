"""Moments in a text, so that everybody sees them in their own time: a mark that each platform shows in its own way."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

_MARK: Final = re.compile(r"<t:(\d{1,11}):F>")
_ESCAPED: Final = re.compile(r"&lt;t:(\d{1,11}):F&gt;")


def marked(moment: datetime) -> str:
    """Return a moment as a mark: the way Discord writes it, which no other text of ours holds."""
    return f"<t:{moment.timestamp():.0f}:F>"


def has_marks(text: str) -> bool:
    """Whether a text holds a moment."""
    return _MARK.search(text) is not None


def shown(text: str, show: Callable[[datetime], str], *, escaped: bool = False) -> str:
    """Return a text, escaped for HTML or not, with each of its moments as a platform shows them."""
    return (_ESCAPED if escaped else _MARK).sub(lambda mark: show(datetime.fromtimestamp(int(mark[1]), UTC)), text)


def written_out(moment: datetime) -> str:
    """Return a moment in words, in the zone that it is given in."""
    return f"{moment:%A, %-d %B %Y, %H:%M}"
