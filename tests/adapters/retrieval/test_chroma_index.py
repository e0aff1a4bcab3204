"""Chroma finds what the exact search finds, has one owner, and follows the SQL database."""

import asyncio
import itertools
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from adapters.retrieval import chroma_calls, chroma_index
from adapters.retrieval.chroma_folder import ChromaFolder
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.exact_index import ExactPassageIndex
from core.domain.passage import ReadableSpan
from tests.adapters.retrieval.vectors import DIMENSIONS, MODEL, InMemoryVectorRepository, ids_found, made_up, one_query

_BOOK = "b_one"


class _Shelf:
    """A folder, the vectors that belong in it, and the log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.vectors = InMemoryVectorRepository()
        self.vectors.books[_BOOK] = made_up(chunks=100)
        self.said: list[str] = []
        self._open: list[ChromaPassageIndex] = []

    def index(self) -> ChromaPassageIndex:
        opened = ChromaPassageIndex(ChromaFolder(self.folder, self.said.append), exact=self.exact(), model_id=MODEL)
        self._open.append(opened)
        return opened

    def exact(self) -> ExactPassageIndex:
        return ExactPassageIndex(self.vectors, model_id=MODEL, dimensions=DIMENSIONS)


@pytest.fixture
def shelf(tmp_path: Path) -> _Shelf:
    return _Shelf(tmp_path / "chroma")


def _up_to(page: int, book_id: str = _BOOK) -> ReadableSpan:
    return ReadableSpan(book_id=book_id, last_page=page)


async def test_it_finds_what_the_exact_search_finds(shelf: _Shelf) -> None:
    index, exact = shelf.index(), shelf.exact()
    for page, limit in itertools.product([1, 2, 25, 49, 50], [1, 5, 1_000]):
        found = await ids_found(index, _up_to(page), one_query(), limit=limit)
        assert found == await ids_found(exact, _up_to(page), one_query(), limit=limit)
        assert max(found) <= page * 2
        assert len(found) == min(limit, page * 2)
    await index.close()


async def test_nothing_read_gives_nothing_and_opens_nothing(shelf: _Shelf) -> None:
    index = shelf.index()
    assert await ids_found(index, _up_to(0), one_query(), limit=5) == []
    assert await ids_found(index, _up_to(5, "b_unknown"), one_query(), limit=5) == []
    await index.close()
    assert not shelf.folder.exists()


async def test_many_books_are_searched_with_few_collections_open(
    shelf: _Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_index, "_OPEN_COLLECTIONS", 3)
    books = [f"b_{number}" for number in range(8)]
    shelf.vectors.books |= {book_id: made_up(chunks=100) for book_id in books}
    index, exact = shelf.index(), shelf.exact()
    for _ in range(2):
        spans = [_up_to(25, book_id) for book_id in books]
        found = await asyncio.gather(*(ids_found(index, span, one_query(), limit=5) for span in spans))
        assert found == [await ids_found(exact, span, one_query(), limit=5) for span in spans]
        for span in spans:
            assert await ids_found(index, span, one_query(), limit=5) == found[0]
            assert len(index._collections) <= 3
    assert await index.usable()
    assert shelf.said == []
    await index.close()


async def test_a_second_instance_searches_exactly_while_the_first_owns_the_folder(shelf: _Shelf) -> None:
    first, second = shelf.index(), shelf.index()
    expected = await ids_found(first, _up_to(20), one_query(), limit=5)
    assert await first.usable()
    assert await ids_found(second, _up_to(20), one_query(), limit=5) == expected
    assert not await second.usable()
    assert not await second.rebuild()
    await first.close()
    assert await second.usable()
    assert await ids_found(second, _up_to(20), one_query(), limit=5) == expected
    await second.close()
    assert shelf.said == []


async def test_a_removed_book_leaves_no_vectors_and_comes_back_under_new_ids(shelf: _Shelf) -> None:
    index = shelf.index()
    await ids_found(index, _up_to(20), one_query(), limit=5)
    del shelf.vectors.books[_BOOK]
    await index.refresh(_BOOK)
    assert await ids_found(index, _up_to(20), one_query(), limit=5) == []
    assert _count(shelf.folder, "embeddings") == _count(shelf.folder, "collections") == 0
    shelf.vectors.books[_BOOK] = made_up(chunks=60, first_id=101, seed=7)
    await index.refresh(_BOOK)
    found = await ids_found(index, _up_to(20), one_query(), limit=5)
    assert found == await ids_found(shelf.exact(), _up_to(20), one_query(), limit=5)
    assert min(found) > 100
    await index.close()


async def test_a_book_that_changed_elsewhere_is_indexed_again(shelf: _Shelf) -> None:
    index = shelf.index()
    await ids_found(index, _up_to(20), one_query(), limit=5)
    await index.close()
    shelf.vectors.books[_BOOK] = made_up(chunks=100, first_id=101, seed=8)
    index = shelf.index()
    found = await ids_found(index, _up_to(20), one_query(), limit=5)
    assert found == await ids_found(shelf.exact(), _up_to(20), one_query(), limit=5)
    assert _count(shelf.folder, "embeddings") == 100
    await index.close()
    assert shelf.said == []


async def test_two_models_of_one_book_are_separate(shelf: _Shelf) -> None:
    index = shelf.index()
    await ids_found(index, _up_to(20), one_query(), limit=5)
    await index.close()
    wide = InMemoryVectorRepository()
    short = made_up(chunks=30)
    wide.books[_BOOK] = type(short)(
        chunk_ids=short.chunk_ids, end_pages=short.end_pages, vectors=np.eye(30, dtype=np.float32)
    )
    exact = ExactPassageIndex(wide, model_id="other", dimensions=30)
    other = ChromaPassageIndex(ChromaFolder(shelf.folder, shelf.said.append), exact=exact, model_id="other")
    assert (await ids_found(other, _up_to(15), np.eye(30, dtype=np.float32)[3], limit=1)) == [4]
    await other.close()
    assert shelf.said == []


async def test_more_books_than_chroma_keeps_in_memory_are_all_found_again_and_again(
    shelf: _Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_calls, "_HELD_INDEXES", 2)
    books = {f"b_{chunks}": chunks for chunks in (1, 17, 101, 1_040, 1_050)}
    shelf.vectors.books |= {book: made_up(chunks=chunks, chunks_a_page=1) for book, chunks in books.items()}
    for _ in ("filled", "opened again"):
        index = shelf.index()
        for _ in range(2):
            found = {book: await ids_found(index, _up_to(2_000, book), one_query(), limit=2_000) for book in books}
            assert {book: len(ids) for book, ids in found.items()} == books
        await index.close()
    assert shelf.said == []


def _count(folder: Path, table: str) -> int:
    connection = sqlite3.connect(folder / "chroma.sqlite3")
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 (a name from this file)
    connection.close()
    return int(count)
