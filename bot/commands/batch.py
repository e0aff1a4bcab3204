"""Reads the lines of a batch: one JSON object each, as the commands that take `-` expect them."""

import json
import math

from core.domain.errors import ThusfarError

BATCH = "-"


def parsed_line(line: str) -> object:
    """Read a line of JSON; some editors put a byte-order mark before the first.

    Raises:
        ThusfarError: it is none.
    """
    try:
        return json.loads(line.lstrip("\ufeff"), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        raise ThusfarError("this line is no JSON") from None


def _finite(number: str) -> float:
    """Refuse what Python reads and JSON does not know; as an `id` it would come out again."""
    if not math.isfinite(value := float(number)):
        raise ThusfarError("this line is no JSON")
    return value
