"""How a platform shows bold type."""

import re
from typing import Final

_QUOTED: Final = re.compile(r"^>.*$", re.MULTILINE)
_BOLD: Final = re.compile(r"\*\*([^*\s]+)\*\*")


def as_read(text: str) -> str:
    """Return a text as a reader sees it where it quotes: words in bold without their marks."""
    return _QUOTED.sub(lambda line: _BOLD.sub(r"\1", line[0]), text)
