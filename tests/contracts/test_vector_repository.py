"""What every VectorRepository does."""

import numpy as np
import pytest

from core.ports.vectors import VectorRepository, Vectors
from tests.builders import STORY, a_book_text
from tests.contracts.stores import MODEL_ID, Stores


@pytest.fixture
def vectors(stores: Stores) -> VectorRepository:
    return stores.vectors


def _rows(count: int, *, first: int = 0) -> Vectors:
    """Vectors that all differ."""
    return np.random.default_rng(1).normal(size=(16, 16)).astype(np.float32)[first : first + count]


async def test_all_chunks_are_missing_until_their_vectors_are_saved(stores: Stores, vectors: VectorRepository) -> None:
    book = await stores.add_book()
    chunks = await stores.books.chunks(book.book_id)
    missing = await vectors.missing(book.book_id, MODEL_ID, limit=99)
    assert missing == [(chunk.chunk_id, chunk.text) for chunk in chunks]
    assert [text for _, text in await vectors.missing(book.book_id, MODEL_ID, limit=2)] == list(STORY[:2])
    await vectors.save(MODEL_ID, [chunk_id for chunk_id, _ in missing[:4]], _rows(4))
    assert await vectors.missing(book.book_id, MODEL_ID, limit=99) == missing[4:]
    assert await vectors.count(book.book_id, MODEL_ID) == 4


async def test_vectors_come_back_row_by_row_in_the_order_of_the_book(stores: Stores, vectors: VectorRepository) -> None:
    book = await stores.add_book()
    ids = [chunk.chunk_id for chunk in await stores.books.chunks(book.book_id)]
    await vectors.save(MODEL_ID, ids[::-1], _rows(6))
    held = await vectors.load(book.book_id, MODEL_ID, dimensions=16)
    assert held.chunk_ids.tolist() == ids
    assert held.end_pages.tolist() == [1, 2, 3, 4, 5, 6]
    assert np.array_equal(held.vectors, _rows(6)[::-1])
    assert held.vectors.dtype == np.float32


async def test_vectors_of_two_models_are_never_mixed(stores: Stores, vectors: VectorRepository) -> None:
    book = await stores.add_book()
    ids = [chunk.chunk_id for chunk in await stores.books.chunks(book.book_id)]
    await vectors.save("other", ids, _rows(6))
    await vectors.save(MODEL_ID, ids[:1], _rows(1, first=9))
    assert [await vectors.count(book.book_id, model) for model in (MODEL_ID, "other", "third")] == [1, 6, 0]
    assert np.array_equal((await vectors.load(book.book_id, MODEL_ID, dimensions=16)).vectors, _rows(1, first=9))
    assert len(await vectors.missing(book.book_id, MODEL_ID, limit=99)) == 5


async def test_vectors_of_chunks_that_have_gone_are_dropped(stores: Stores, vectors: VectorRepository) -> None:
    gone = await stores.add_book(a_book_text(title="Gone"))
    book = await stores.add_book()
    ids = [(await stores.books.chunks(b.book_id))[0].chunk_id for b in (gone, book)]
    await vectors.save(MODEL_ID, ids[:1], _rows(1))
    await stores.books.remove(gone.book_id)
    await vectors.save(MODEL_ID, ids, _rows(2))
    assert await vectors.count(gone.book_id, MODEL_ID) == 0
    assert await vectors.count(book.book_id, MODEL_ID) == 1


async def test_a_chunk_may_have_several_vectors_and_counts_once(stores: Stores, vectors: VectorRepository) -> None:
    book = await stores.add_book()
    ids = [chunk.chunk_id for chunk in await stores.books.chunks(book.book_id)]
    await vectors.save(MODEL_ID, [ids[2], ids[0], ids[0], ids[0], ids[1]], _rows(5))
    held = await vectors.load(book.book_id, MODEL_ID, dimensions=16)
    assert held.chunk_ids.tolist() == [ids[0]] * 3 + [ids[1], ids[2]]
    assert held.end_pages.tolist() == [1, 1, 1, 2, 3]
    assert np.array_equal(held.vectors, _rows(5)[[1, 2, 3, 4, 0]])
    assert await vectors.count(book.book_id, MODEL_ID) == 3
    assert [chunk_id for chunk_id, _ in await vectors.missing(book.book_id, MODEL_ID, limit=99)] == ids[3:]
