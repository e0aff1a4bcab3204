"""The indexes that the guard holds: of the books used last, each built once even when many ask at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from core.domain.book import Book
from core.guard.book_index import BookIndex


class HeldBooks:
    """At most `capacity` indexes; one serves a single import, since a book may be removed and imported again."""

    def __init__(self, build: Callable[[Book], Awaitable[BookIndex]], *, capacity: int) -> None:
        self._build = build
        self._capacity = capacity
        self._held: OrderedDict[tuple[str, str], asyncio.Task[BookIndex]] = OrderedDict()

    async def get(self, book: Book) -> BookIndex:
        """Return the index of a book; a build that fails is not kept."""
        key = book.book_id, book.import_id
        if key not in self._held or _failed(self._held[key]):
            self._held[key] = asyncio.ensure_future(self._build(book))
        self._held.move_to_end(key)
        while len(self._held) > self._capacity:
            self._held.popitem(last=False)
        return await asyncio.shield(self._held[key])


def _failed(task: asyncio.Task[BookIndex]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
