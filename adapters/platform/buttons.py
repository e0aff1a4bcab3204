"""Buttons that outlive the process: what they run stands in their id, and core checks it when they are pressed."""

import re
from typing import Final

PATTERN: Final = re.compile(r"tf1:(?P<command>\.[a-z-]+):(?P<text>.*)", re.DOTALL)
"""An id takes apart into a command of core's registry and its text."""

SHOW: Final = ".post"
"""Shows a private answer to all: the one command of buttons that an adapter carries out itself."""
LASTING: Final = frozenset({".sources", ".up", ".down"})
"""What can be pressed again and again; all others are done with once they were pressed."""
DANGEROUS: Final = frozenset({".remove", ".forget-thread", ".forget-club"})
THUMBS: Final = {".up": "👍", ".down": "👎"}
UNDER_ANSWERS: Final = {".sources": "Sources", ".up": "👍", ".down": "👎"}
"""What stands under every public answer, with its label."""


def button_id(command: str, text: str, *, longest: int) -> str:
    """Return the id of a button.

    Raises:
        ValueError: it is longer than the platform takes.
    """
    made = f"tf1:{command}:{text}"
    if len(made) > longest:
        raise ValueError(f"A button cannot hold {made}.")
    return made
