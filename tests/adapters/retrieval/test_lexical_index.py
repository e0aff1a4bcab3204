"""BM25 over the pages read: its formula, its order, its words."""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.domain.book import Book, BookText, Page, PageSource
from core.domain.passage import readable
from tests.property.books import Shelf, shelf


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Shelf]:
    with ThreadPoolExecutor(max_workers=1) as workers:
        made = shelf(tmp_path, workers)
        yield made
        made.database.close()


async def _add(store: Shelf, texts: Sequence[str]) -> Book:
    pages = tuple(Page(number=number, text=text) for number, text in enumerate(texts, 1))
    return await store.add(
        BookText(title="Made up", author=None, pages=pages, chapters=(), page_source=PageSource.FORM_FEEDS)
    )


async def _pages(store: Shelf, book: Book, query: str, *, page: int | None = None, limit: int = 10) -> list[int]:
    return [page for page, _ in await _scored(store, book, query, page=page, limit=limit)]


async def _scored(
    store: Shelf, book: Book, query: str, *, page: int | None = None, limit: int = 10
) -> list[tuple[int, float]]:
    pages = {chunk.chunk_id: chunk.end_page for chunk in await store.books.chunks(book.book_id)}
    found = await store.lexical.search(readable(book, page or book.pages), query, limit=limit)
    return [(pages[chunk_id], score) for chunk_id, score in found]


async def test_the_score_is_that_of_the_formula(store: Shelf) -> None:
    book = await _add(store, ["lock lock river", "lock", "tower bridge castle garden"])
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = (3 + 1 + 4) / 3
    first = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / mean))
    second = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / mean))
    expected = sorted([(1, first), (2, second)], key=lambda pair: -pair[1])
    found = await _scored(store, book, "lock")
    assert [page for page, _ in found] == [page for page, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], rel=1e-5)


async def test_a_rare_word_weighs_more_than_a_common_one(store: Shelf) -> None:
    book = await _add(store, ["lock river", "lock meadow", "lock tower", "lock castle"])
    assert (await _pages(store, book, "lock tower"))[0] == 3


async def test_equal_scores_come_in_the_order_of_the_book(store: Shelf) -> None:
    book = await _add(store, ["a lock", "the lock", "one tower", "that lock"])
    assert await _pages(store, book, "lock") == [1, 2, 4]


@pytest.mark.parametrize(
    "query",
    ["LOCKS", "locked", "the lock's", "lock, lock! lock?", "ｌｏｃｋ", "what is a lock", "“lock”"],
)
async def test_a_word_is_found_in_whatever_form_it_is_typed(store: Shelf, query: str) -> None:
    book = await _add(store, ["a tower", "locking the lock", "a castle"])
    assert await _pages(store, book, query) == [2]


async def test_at_most_as_many_as_asked_for_come_back(store: Shelf) -> None:
    book = await _add(store, [f"lock number {number}" for number in range(1, 30)])
    assert len(await _pages(store, book, "lock", limit=4)) == 4
    assert len(await _pages(store, book, "lock", limit=1_000)) == 29


async def test_pages_without_any_word_of_matter_do_no_harm(store: Shelf) -> None:
    book = await _add(store, ["", "the of and", "* * *", "lock"])
    assert await _pages(store, book, "lock") == [4]
    assert await _pages(store, book, "lock", page=3) == []


async def test_a_book_without_chunks_finds_nothing(store: Shelf) -> None:
    book = await _add(store, ["", "  "])
    assert await _pages(store, book, "lock") == []


async def test_what_was_built_is_dropped_on_refresh(store: Shelf) -> None:
    book = await _add(store, ["a lock"])
    assert await _pages(store, book, "lock") == [1]
    await store.books.remove(book.book_id)
    span = readable(book, 1)
    await store.lexical.refresh(book.book_id)
    assert await store.lexical.search(span, "lock", limit=5) == []


async def test_two_books_do_not_meet(store: Shelf) -> None:
    one, other = await _add(store, ["a lock"]), await _add(store, ["a tower"])
    assert await _pages(store, one, "tower") == []
    assert await _pages(store, other, "tower") == [1]
