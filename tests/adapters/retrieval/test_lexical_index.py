"""The lexical index over the pages read: its formula, its order, its words."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.domain.book import Book
from core.domain.passage import readable
from core.ports.passage_index import Near
from tests.property.books import Shelf, shelf


@pytest.fixture
def store(empty_database: Path, tmp_path: Path) -> Iterator[Shelf]:
    with shelf(empty_database, tmp_path) as made:
        yield made


async def _pages(store: Shelf, book: Book, query: str, *, page: int | None = None, limit: int = 10) -> list[int]:
    page_of = {chunk.chunk_id: chunk.end_page for chunk in await store.books.chunks(book.book_id)}
    found = await store.lexical.rank(readable(book, page or book.pages), query, nearest=Near(), limit=limit)
    return [page_of[chunk_id] for chunk_id, _ in found]


async def test_a_count_weighs_as_in_the_formula(store: Shelf) -> None:
    texts = ["lock lock meadow", "lock", "river tower castle meadow"]
    looked = await store.lexical.look(readable(await store.add_pages(texts), 3), "lock", nearest=Near())
    mean, idf = (3 + 1 + 4) / 3, np.log1p((3 - 2 + 0.5) / (2 + 0.5))
    expected = [2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / mean)), 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / mean)), 0]
    assert looked is not None
    for evidence in (looked.pages, looked.chunks):
        assert evidence.words.tolist() == pytest.approx([idf * each for each in expected])


async def test_a_rare_word_weighs_more_than_a_common_one(store: Shelf) -> None:
    book = await store.add_pages(["lock river", "lock meadow", "lock tower", "lock castle"])
    assert (await _pages(store, book, "lock tower"))[0] == 3


@pytest.mark.parametrize(
    "query",
    ["LOCKS", "locked", "the lock's", "lock, lock! lock?", "ｌｏｃｋ", "what is a lock", "“lock”"],
)
async def test_a_word_is_found_in_whatever_form_it_is_typed(store: Shelf, query: str) -> None:
    book = await store.add_pages(["a tower", "locking the lock", "a castle"])
    assert await _pages(store, book, query) == [2]


async def test_a_built_index_is_dropped_on_refresh(store: Shelf) -> None:
    book = await store.add_pages(["a lock"])
    assert await _pages(store, book, "lock") == [1]
    await store.books.remove(book.book_id)
    span = readable(book, 1)
    await store.lexical.refresh(book.book_id)
    assert await store.lexical.rank(span, "lock", nearest=Near(), limit=5) == []
