"""A tool call's arguments as a model wrote them, as far as they can be used; the same over every wire."""

import json
import math
from typing import Final, NoReturn

UNREADABLE_ARGUMENTS: Final = "_unreadable_arguments"
"""The one argument of a call whose own arguments could not be used; it says why, and no tool has it.

The call is passed on, since every call must be answered: `search_book` misses its query and answers with an error
that the model reads, and the loop goes on.
"""

LONGEST_ARGUMENTS: Final = 20_000
"""Characters of JSON beyond which arguments are not passed on."""


def readable_arguments(raw: object) -> dict[str, object]:
    """Return the arguments that a model wrote, or `UNREADABLE_ARGUMENTS` with the reason; its text is not kept."""
    try:
        # Some servers send an object instead of its text, and nothing at all for a call without arguments.
        text = raw if isinstance(raw, str) else json.dumps(raw or {}, ensure_ascii=False)
        if len(text) > LONGEST_ARGUMENTS:
            return {UNREADABLE_ARGUMENTS: f"longer than {LONGEST_ARGUMENTS} characters"}
        value = json.loads(text or "{}", parse_constant=_no_constant, parse_float=_finite)
        # What cannot be sent back or stored must not come in.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return {UNREADABLE_ARGUMENTS: "no valid JSON"}
    return value if isinstance(value, dict) else {UNREADABLE_ARGUMENTS: "no JSON object"}


def _finite(number: str) -> float | None:
    """JSON has no infinity, though 1e999 is read as one: neither a store nor a provider would take it."""
    value = float(number)
    return value if math.isfinite(value) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
