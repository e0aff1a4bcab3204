"""Scopes: who owns books, positions and conversations; nothing crosses from one to another."""

import re
from typing import Final

from core.domain.patterns import late_pattern

LOCAL_SCOPE: Final = "local"
"""The command line's and the terminal's own."""

_PRIVATE_SESSION = late_pattern(r"local:|\w+:dm:", re.ASCII)
_SCOPE = late_pattern(r"local|discord:(?:dm:)?\w+|slack:(?:dm:\w+:)?\w+", re.ASCII)


def is_scope(text: str) -> bool:
    """Whether a text names a scope, there or not."""
    return _SCOPE.fullmatch(text) is not None


def is_direct(scope: str) -> bool:
    """Whether one person talks with the bot there in direct messages."""
    return ":dm:" in scope


def is_private(scope: str) -> bool:
    """Whether one person alone is in a scope: the terminal's, or that of direct messages."""
    return scope == LOCAL_SCOPE or ":dm:" in scope


def is_private_session(session_id: str) -> bool:
    """Whether a conversation whose id begins with such a scope is one person's alone."""
    return _PRIVATE_SESSION.match(session_id) is not None
