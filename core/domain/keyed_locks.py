"""Locks by key: tasks with the same key run one after another, tasks with different keys run at the same time."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class KeyedLocks:
    """A lock for each key, kept while a task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """Return the lock of a key. Enter it at once: `async with locks.of(key):`."""
        return self._locks.setdefault(key, asyncio.Lock())
