"""Scopes own books, positions and conversations. Scopes share no data."""

import re
from typing import Final

LOCAL_SCOPE: Final = "local"
"""The scope of the command line, the terminal and the browser."""

_PRIVATE_SESSION = re.compile(r"local:|\w+:dm:", re.ASCII)
_SCOPE = re.compile(r"local|discord:(?:dm:)?\w+|slack:(?:dm:\w+:)?\w+", re.ASCII)


def is_scope(text: str) -> bool:
    """Whether a text has the form of a scope."""
    return _SCOPE.fullmatch(text) is not None


def is_direct(scope: str) -> bool:
    """Whether a scope is one person's direct messages with the bot."""
    return ":dm:" in scope


def is_private(scope: str) -> bool:
    """Whether a scope has only one person: the local one, or direct messages."""
    return scope == LOCAL_SCOPE or ":dm:" in scope


def is_private_session(session_id: str) -> bool:
    """Whether a conversation whose id begins with such a scope is one person's alone."""
    return _PRIVATE_SESSION.match(session_id) is not None
