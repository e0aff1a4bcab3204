"""Caches for data of recently used books, with one limit in bytes for all caches.

The least recently used value is dropped first. A value is built once, also if several callers wait for it.
"""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Final, Generic, TypeVar

Value = TypeVar("Value")

MEGABYTE: Final = 1_000_000
DEFAULT_MEGABYTES: Final = 320
_OWN: Final = 64
"""About how many bytes Python uses for an object."""


class BookMemory:
    """A shared size limit for all caches of books. Use it in one event loop only.

    The most recently used value always stays, however large it is.
    """

    def __init__(self, most_bytes: int = DEFAULT_MEGABYTES * MEGABYTE) -> None:
        self._most = most_bytes
        self._held: OrderedDict[tuple[str, Hashable], tuple[int, Callable[[], None]]] = OrderedDict()
        self._bytes = 0

    def use(self, key: tuple[str, Hashable]) -> None:
        """Mark a value as just used."""
        self._held.move_to_end(key)

    def keep(self, key: tuple[str, Hashable], size: int, let_go: Callable[[], None]) -> None:
        """Add a value of `size` bytes, and drop other values until all fit.

        The key is its kind and name. `let_go` is called when the value is dropped.
        """
        self.release(key)
        self._held[key] = size, let_go
        self._bytes += size
        while self._bytes > self._most and len(self._held) > 1:
            oldest = next(iter(self._held))
            self._held[oldest][1]()
            self.release(oldest)

    def release(self, key: tuple[str, Hashable]) -> None:
        """Remove a value, if it was added."""
        self._bytes -= self._held.pop(key, (0, None))[0]

    def by_kind(self) -> Mapping[str, int]:
        """Return how many bytes each kind of value uses."""
        kinds: dict[str, int] = {}
        for (kind, _), (size, _) in self._held.items():
            kinds[kind] = kinds.get(kind, 0) + size
        return kinds


class Held(Generic[Value]):
    """A cache of values of one kind. A memory may have one such cache per kind."""

    def __init__(self, kind: str, memory: BookMemory | None = None) -> None:
        self._kind = kind
        self._memory = memory or BookMemory()
        self._values: dict[Hashable, Value] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Whether a value is cached."""
        return key in self._values

    def find(self, key: Hashable) -> Value | None:
        """Return the value of a key; None if it is not cached."""
        if key not in self._values:
            return None
        self._memory.use((self._kind, key))
        return self._values[key]

    def keep(self, key: Hashable, value: Value) -> None:
        """Cache a value in place of the one of its key."""
        self._values[key] = value
        self._memory.keep((self._kind, key), size_of(value), lambda: self._let_go(key))

    def drop(self, key: Hashable) -> None:
        """Remove the value of a key."""
        self._let_go(key)
        self._memory.release((self._kind, key))

    def _let_go(self, key: Hashable) -> None:
        self._values.pop(key, None)


def size_of(value: object) -> int:
    """Return about how many bytes a value uses: its arrays, texts and containers."""
    nbytes = getattr(value, "nbytes", None)
    if isinstance(nbytes, int):  # an array, or what knows better
        return nbytes + _OWN
    return sys.getsizeof(value) + sum(map(size_of, _parts(value)))


class BookCache(Generic[Value]):
    """Caches values built from recently used books, within the shared memory limit.

    A value is valid for one version of a book only, since another process may import it again under the same id.
    """

    def __init__(self, kind: str, memory: BookMemory | None = None) -> None:
        self._held: Held[tuple[str, Value]] = Held(kind, memory)
        self._building: dict[Hashable, tuple[str, asyncio.Future[Value]]] = {}

    async def get(self, key: Hashable, version: str, build: Callable[[], Awaitable[Value]]) -> Value:
        """Return the value for a version of a book, from the cache or newly built; a failed build is not cached."""
        held = self._held.find(key)
        if held is not None and held[0] == version:
            return held[1]
        built_version, building = self._building.get(key, ("", None))
        if building is None or built_version != version:
            building = asyncio.ensure_future(build())
            self._building[key] = version, building
            building.add_done_callback(lambda done: self._built(key, version, done))
        return await asyncio.shield(building)

    def forget(self, key: Hashable) -> None:
        """Drop the value of a book; callers that already wait for it still get it."""
        self._held.drop(key)
        self._building.pop(key, None)

    def _built(self, key: Hashable, version: str, done: "asyncio.Future[Value]") -> None:
        if self._building.get(key) != (version, done):
            if not done.cancelled():
                done.exception()  # asked for, so that nothing is logged: the caller who waited got the error
            return
        del self._building[key]
        if not done.cancelled() and done.exception() is None:
            self._held.keep(key, (version, done.result()))


def _parts(value: object) -> Iterable[object]:
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, Collection) and not isinstance(value, str | bytes):
        return value
    return vars(value).values() if hasattr(value, "__dict__") else ()
