"""How far somebody has read, said to the bot without a command: which messages are that, and nothing else."""

import re
from typing import Final

from core.domain.errors import PositionError
from core.domain.position_forms import parse_position
from core.domain.printed_numbers import fold_form

_SAYS_WHERE: Final = re.compile(
    r"\b(?:p(?:p|gs?)?|no|nr)[ .]*[0-9]|# ?[0-9]|\bpages?\b|[0-9] ?p(?:gs?)?\b|\bch(?:apters?|aps?|s|pt)?\b"
    r"|%|\bper ?cent\b|^undo$|\bhalf ?-?way\b|^[0-9]{1,4}$"
)
_OF_ONE: Final = re.compile(r"(?:(?:ok|okay|so|well|hi|hey|yes|yep|um|uh) )*(?:i|i'm|im|i've|ive)\b")


def names_place(text: str) -> bool:
    """Whether a message says how far is read and nothing else, with a page, a chapter or a share of the book in it.

    What might be other talk as well (`done`, `the end`) is none.
    """
    if _SAYS_WHERE.search(fold_form(text)) is None:
        return False
    try:
        parse_position(text)
    except PositionError:
        return False
    return True


def is_of_one(text: str) -> bool:
    """Whether somebody says of themselves that they are there: `I'm on page 20`."""
    return _OF_ONE.match(fold_form(text)) is not None
