"""The cache of books builds once, keeps few, and does not keep failures."""

import asyncio

import pytest

from core.caching.book_cache import BookCache


class _Builder:
    """Builds values that name the book and the attempt; waits for `gate` and fails while told to."""

    def __init__(self) -> None:
        self.built: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = False

    async def build(self, book_id: str) -> str:
        self.built.append(book_id)
        await self.gate.wait()
        if self.fails:
            raise LookupError(book_id)
        return f"{book_id}/{len(self.built)}"


async def test_a_book_is_built_once() -> None:
    builder = _Builder()
    cache = BookCache(builder.build, capacity=2)
    assert [await cache.get("a", "1"), await cache.get("a", "1")] == ["a/1", "a/1"]


async def test_many_who_ask_at_once_share_one_build() -> None:
    builder = _Builder()
    builder.gate.clear()
    cache = BookCache(builder.build, capacity=2)
    asking = [asyncio.create_task(cache.get("a", "1")) for _ in range(20)]
    await asyncio.sleep(0)
    builder.gate.set()
    assert await asyncio.gather(*asking) == ["a/1"] * 20


async def test_only_the_books_used_last_are_kept() -> None:
    builder = _Builder()
    cache = BookCache(builder.build, capacity=2)
    for book in ("a", "b", "a", "c", "a", "b"):
        await cache.get(book, "1")
    assert builder.built == ["a", "b", "c", "b"]


async def test_a_failure_reaches_everybody_and_is_not_kept() -> None:
    builder = _Builder()
    builder.fails = True
    cache = BookCache(builder.build, capacity=2)
    first = await asyncio.gather(cache.get("a", "1"), cache.get("a", "1"), return_exceptions=True)
    assert [type(error) for error in first] == [LookupError, LookupError]
    builder.fails = False
    assert await cache.get("a", "1") == "a/2"


async def test_one_who_gives_up_does_not_spoil_it_for_the_others() -> None:
    builder = _Builder()
    builder.gate.clear()
    cache = BookCache(builder.build, capacity=2)
    hasty, patient = asyncio.create_task(cache.get("a", "1")), asyncio.create_task(cache.get("a", "1"))
    await asyncio.sleep(0)
    hasty.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hasty
    builder.gate.set()
    assert await patient == "a/1"
    assert await cache.get("a", "1") == "a/1"


async def test_what_is_forgotten_is_built_anew_and_who_waits_still_gets_it() -> None:
    builder = _Builder()
    builder.gate.clear()
    cache = BookCache(builder.build, capacity=2)
    waiting = asyncio.create_task(cache.get("a", "1"))
    await asyncio.sleep(0)
    cache.forget("a")
    cache.forget("never seen")
    builder.gate.set()
    assert await waiting == "a/1"
    assert await cache.get("a", "1") == "a/2"


async def test_a_book_that_was_imported_anew_is_built_anew() -> None:
    builder = _Builder()
    cache = BookCache(builder.build, capacity=2)
    assert [await cache.get("a", "1"), await cache.get("a", "2"), await cache.get("a", "2")] == ["a/1", "a/2", "a/2"]
