"""Reads the arguments of a tool call as a model wrote them; the same for every provider."""

import json
import logging
import math
from typing import Final, NoReturn

from core.domain.tool_use import UNREADABLE_ARGUMENTS

_log = logging.getLogger(__name__)

LONGEST_ARGUMENTS: Final = 20_000
"""Arguments with more characters of JSON are rejected."""


def readable_arguments(raw: object) -> dict[str, object]:
    """Return the arguments, or `UNREADABLE_ARGUMENTS` with the reason; invalid text is not kept.

    The call is passed on all the same, since every call needs a result: the model is told why it did not run.
    """
    try:
        # Some servers send an object instead of text, and nothing for a call without arguments.
        text = raw if isinstance(raw, str) else json.dumps(raw or {}, ensure_ascii=False)
        if len(text) > LONGEST_ARGUMENTS:
            return _unreadable(f"longer than {LONGEST_ARGUMENTS} characters")
        value = json.loads(text or "{}", parse_constant=_no_constant, parse_float=_finite)
        # Reject what can't be sent back or stored.
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        return _unreadable("no valid JSON", f"{error.msg}, character {error.pos + 1} of {len(error.doc)}")
    except (ValueError, TypeError, RecursionError) as error:
        return _unreadable("no valid JSON", type(error).__name__)
    return value if isinstance(value, dict) else _unreadable("no JSON object", type(value).__name__)


def _unreadable(why: str, *details: str) -> dict[str, object]:
    _log.warning("A tool call's arguments cannot be used: %s.", ": ".join([why, *details]))
    return {UNREADABLE_ARGUMENTS: why}


def _finite(number: str) -> float | None:
    """Return a number, or None if it is infinite, as 1e999 is: no store and no provider accepts infinity."""
    value = float(number)
    return value if math.isfinite(value) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
