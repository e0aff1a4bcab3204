"""What is kept in memory of each book, built once even when many ask at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from core.caching.book_memory import BookMemory, Held

Value = TypeVar("Value")


class BookCache(Generic[Value]):
    """Keeps what was made of the books used last, as far as the memory goes that all caches share.

    Another process may remove a book and import it again under the same id: a value serves one version only.
    """

    def __init__(self, kind: str, memory: BookMemory | None = None) -> None:
        self._held: Held[tuple[str, Value]] = Held(kind, memory)
        self._building: dict[Hashable, tuple[str, asyncio.Future[Value]]] = {}

    async def get(self, key: Hashable, version: str, build: Callable[[], Awaitable[Value]]) -> Value:
        """Return a version of what is made of a book, at once where it is held; a build that fails is not kept."""
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
        """Drop what is held of a book; who already waits for it still gets it."""
        self._held.drop(key)
        self._building.pop(key, None)

    def _built(self, key: Hashable, version: str, done: "asyncio.Future[Value]") -> None:
        if self._building.get(key) != (version, done):
            done.cancelled() or done.exception()  # whoever waited has been told
            return
        del self._building[key]
        if not done.cancelled() and done.exception() is None:
            self._held.keep(key, (version, done.result()))
