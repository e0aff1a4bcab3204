"""A tool call's arguments as a model wrote them, as far as they can be used; the same over every wire."""

import json
import logging
import math
from typing import Final, NoReturn

from core.domain.tool_use import UNREADABLE_ARGUMENTS

_log = logging.getLogger(__name__)

LONGEST_ARGUMENTS: Final = 20_000
"""Characters of JSON beyond which arguments are not passed on."""


def readable_arguments(raw: object) -> dict[str, object]:
    """Return the arguments that a model wrote, or `UNREADABLE_ARGUMENTS` with the reason; its text is not kept.

    Such a call is passed on, since every call must be answered: the model is told why it could not be run.
    """
    try:
        # Some servers send an object instead of its text, and nothing at all for a call without arguments.
        text = raw if isinstance(raw, str) else json.dumps(raw or {}, ensure_ascii=False)
        if len(text) > LONGEST_ARGUMENTS:
            return _unreadable(f"longer than {LONGEST_ARGUMENTS} characters")
        value = json.loads(text or "{}", parse_constant=_no_constant, parse_float=_finite)
        # What cannot be sent back or stored must not come in.
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
    """JSON has no infinity, though 1e999 is read as one: neither a store nor a provider would take it."""
    value = float(number)
    return value if math.isfinite(value) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
