"""What is kept in memory of each book: bounded, built once even when many ask at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class BookCache(Generic[Value]):
    """Keeps the values of the books used last; `build` makes the value of a book that is not held.

    Another process may remove a book and import it again under the same id: a value serves one import only.
    """

    def __init__(self, build: Callable[[str], Awaitable[Value]], *, capacity: int) -> None:
        self._build = build
        self._held: LRUCache[str, tuple[str, asyncio.Task[Value]]] = LRUCache(maxsize=capacity)

    async def get(self, book_id: str, import_id: str) -> Value:
        """Return the value of an import of a book, at once where it is held; a build that fails is not kept."""
        held_import, task = self._held.get(book_id, ("", None))
        if task is None or held_import != import_id or _failed(task):
            task = asyncio.ensure_future(self._build(book_id))
            self._held[book_id] = import_id, task
        return task.result() if task.done() else await asyncio.shield(task)

    def forget(self, book_id: str) -> None:
        """Drop what is held of a book; who already waits for it still gets it."""
        self._held.pop(book_id, None)


def _failed(task: asyncio.Task[Value]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
