"""Malformed versions of what a platform sends: each part missing, empty, or of another type."""

import copy
from collections.abc import Iterator
from typing import Any

_LEFT_OUT = object()
_STRANGE: tuple[Any, ...] = (_LEFT_OUT, None, "", "x", 0, -1, [], {}, [None], 2**70)


def strange_versions(payload: Any, *, spared: frozenset[str], every: int) -> Iterator[tuple[Any, Any]]:
    """Yield every `every`-th malformed version of a payload, with the path to its changed part."""
    number = 0
    for path in _paths(payload, spared):
        for value in _STRANGE:
            number += 1
            if number % every == 0:
                yield path, _changed(payload, path, value)


def _paths(payload: Any, spared: frozenset[str], *, depth: int = 3) -> Iterator[tuple[Any, ...]]:
    inside = payload.items() if isinstance(payload, dict) else enumerate(payload) if isinstance(payload, list) else ()
    for key, value in inside:
        if key in spared:
            continue
        yield (key,)
        if depth > 1:
            yield from ((key, *rest) for rest in _paths(value, spared, depth=depth - 1))


def _changed(payload: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(payload)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    if value is _LEFT_OUT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return changed
