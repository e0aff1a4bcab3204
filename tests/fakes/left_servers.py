"""Servers that have removed the bot, in memory."""

from collections.abc import Collection, Sequence
from datetime import datetime

from core.ports.left_servers import Erased, LeftServerRepository
from tests.fakes.books import InMemoryBookRepository


class InMemoryLeftServerRepository(LeftServerRepository):
    """Knows of books alone: what else a scope has goes with its clubs, which fakes do not forget."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        self._books = books
        self._left: dict[str, datetime] = {}

    async def note(self, scopes: Sequence[str], at: datetime) -> list[str]:
        new = [scope for scope in sorted(scopes) if scope not in self._left and await self._book_ids(scope)]
        self._left |= dict.fromkeys(new, at)
        if self._books.links is not None:
            await self._books.links.left(new)
        return new

    async def returned(self, scopes: Collection[str]) -> list[str]:
        back = sorted(scope for scope in self._left if scope in scopes)
        for scope in back:
            del self._left[scope]
        return back

    async def stored(self, platform: str) -> list[str]:
        kept = {book.scope for book in self._books.all() if book.scope.startswith(f"{platform}:")}
        return sorted(scope for scope in kept if ":dm:" not in scope)

    async def left_before(self, before: datetime) -> list[str]:
        return sorted(scope for scope, at in self._left.items() if at < before)

    async def erase(self, scope: str, *, left_before: datetime) -> Erased | None:
        if scope not in await self.left_before(left_before):
            return None
        book_ids = await self._book_ids(scope)
        for book_id in book_ids:
            await self._books.remove(book_id)
        del self._left[scope]
        return Erased(book_ids=tuple(book_ids), clubs=0)

    async def _book_ids(self, scope: str) -> list[str]:
        direct = scope.replace(":", ":dm:", 1) + ":"
        return [book.book_id for book in self._books.all() if book.scope == scope or book.scope.startswith(direct)]
