"""Locks by name: whoever holds the same key comes one after another, different keys hold up nobody."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class KeyedLocks:
    """A lock for each key, kept for as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """Return the lock of a key, to be entered at once: `async with locks.of(key):`."""
        return self._locks.setdefault(key, asyncio.Lock())
