"""How long a test waits for what must come."""

from typing import Final

PATIENCE_S: Final = 60.0
"""Seconds; only a test that fails waits so long. A machine that does much else stands still for several at a time."""
