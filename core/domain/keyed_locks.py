"""One lock for each key, for as long as somebody holds it or waits for it."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class KeyedLocks:
    """What has one key is done in order, what has another side by side."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Hashable) -> asyncio.Lock:
        """Return the lock of a key; whoever uses it holds it, so that it is there for the next one."""
        return self._locks.setdefault(key, asyncio.Lock())
