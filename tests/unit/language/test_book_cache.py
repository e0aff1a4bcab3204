"""The cache of books builds once, keeps what was used last, and does not keep failures."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from core.language.book_memory import BookCache, BookMemory


class _Builder:
    """Builds values that name the book and the attempt; waits for `gate` and fails while told to."""

    def __init__(self, *, memory: BookMemory | None = None) -> None:
        self.cache: BookCache[str] = BookCache("books", memory)
        self.built: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = False

    def of(self, book_id: str) -> Callable[[], Awaitable[str]]:
        async def build() -> str:
            self.built.append(book_id)
            await self.gate.wait()
            if self.fails:
                raise LookupError(book_id)
            return f"{book_id}/{len(self.built)}"

        return build

    async def get(self, book_id: str, version: str = "1") -> str:
        return await self.cache.get(book_id, version, self.of(book_id))


async def test_many_who_ask_at_once_share_one_build() -> None:
    builder = _Builder()
    builder.gate.clear()
    asking = [asyncio.create_task(builder.get("a")) for _ in range(20)]
    await asyncio.sleep(0)
    builder.gate.set()
    assert await asyncio.gather(*asking) == ["a/1"] * 20


async def test_only_the_books_used_last_are_kept() -> None:
    room_for_two = BookMemory(400)  # a version and a value take some 160 bytes
    builder = _Builder(memory=room_for_two)
    for book in ("a", "b", "a", "c", "a", "b"):
        await builder.get(book)
    assert builder.built == ["a", "b", "c", "b"]


async def test_a_failure_reaches_everybody_and_is_not_kept() -> None:
    builder = _Builder()
    builder.fails = True
    first = await asyncio.gather(builder.get("a"), builder.get("a"), return_exceptions=True)
    assert [type(error) for error in first] == [LookupError, LookupError]
    builder.fails = False
    assert await builder.get("a") == "a/2"


async def test_one_who_gives_up_does_not_spoil_it_for_the_others() -> None:
    builder = _Builder()
    builder.gate.clear()
    hasty, patient = asyncio.create_task(builder.get("a")), asyncio.create_task(builder.get("a"))
    await asyncio.sleep(0)
    hasty.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hasty
    builder.gate.set()
    assert await patient == "a/1"
    assert await builder.get("a") == "a/1"
