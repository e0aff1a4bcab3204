"""Scopes: who owns books, positions and conversations. Nothing crosses a scope (spec section 1)."""

from typing import Final

LOCAL_SCOPE: Final = "local"
"""The command line's and the terminal's own."""
