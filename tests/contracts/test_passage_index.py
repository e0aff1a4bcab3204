"""What every PassageIndex does. Chroma has a few tests, since it is slow to begin with."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from adapters.retrieval.chroma_address import ChromaAddress
from adapters.retrieval.chroma_folder import ChromaFolder
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.chroma_server import ChromaServer
from adapters.retrieval.chroma_store import ChromaStore
from adapters.retrieval.exact_index import ExactPassageIndex
from core.domain.book import Book
from core.domain.passage import ReadableSpan
from core.ports.passage_index import PassageIndex
from core.ports.vectors import VectorRepository
from tests.adapters.retrieval.vectors import ids_found
from tests.builders import STORY, a_book_text
from tests.chroma_server import ChromaProgram
from tests.contracts.stores import MODEL_ID, Stores
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.passage_index import InMemoryPassageIndex
from tests.memory import memory_database

_EMBEDDINGS = HashEmbeddingProvider(MODEL_ID)
_MAKERS: list[Callable[[VectorRepository], PassageIndex]] = [
    lambda vectors: InMemoryPassageIndex(vectors, model_id=MODEL_ID),
    lambda vectors: ExactPassageIndex(vectors, model_id=MODEL_ID, dimensions=128),
]


@pytest.fixture
def stores() -> Stores:
    return Stores(memory_database())


@pytest.fixture(params=_MAKERS, ids=["memory", "exact"])
def index(request: pytest.FixtureRequest, stores: Stores) -> PassageIndex:
    make: Callable[[VectorRepository], PassageIndex] = request.param
    return make(stores.vectors)


async def _embed_what_is_missing(stores: Stores, book: Book, *, limit: int = 99) -> None:
    missing = await stores.vectors.missing(book.book_id, MODEL_ID, limit=limit)
    vectors = await _EMBEDDINGS.embed([text for _, text in missing])
    await stores.vectors.save(MODEL_ID, [chunk_id for chunk_id, _ in missing], vectors)


async def _embedded(stores: Stores, title: str = "The Marrow Light") -> Book:
    book = await stores.add_book(a_book_text(title=title))
    await _embed_what_is_missing(stores, book)
    return book


async def _each_window_counts(stores: Stores, index: PassageIndex) -> None:
    book = await stores.add_book()
    ids = [chunk.chunk_id for chunk in await stores.books.chunks(book.book_id)]
    vectors = await _EMBEDDINGS.embed(["compass ferry", "ledger", "harbour ledger", "clocks"])
    await stores.vectors.save(MODEL_ID, [ids[0], ids[0], ids[1], ids[1]], vectors)
    await index.refresh(book.book_id)
    assert await index.count(ReadableSpan(book_id=book.book_id, last_page=0)) == 2
    assert await _pages(stores, index, book, "ledger", last_page=6, limit=2) == [1, 2]
    assert await _pages(stores, index, book, "harbour ledger", last_page=6, limit=1) == [2]
    assert await _pages(stores, index, book, "harbour ledger", last_page=1) == [1, 1]


async def _pages(
    stores: Stores, index: PassageIndex, book: Book, query: str, *, last_page: int, limit: int = 20
) -> list[int]:
    vector = (await _EMBEDDINGS.embed([query]))[0]
    found = await ids_found(index, ReadableSpan(book_id=book.book_id, last_page=last_page), vector, limit=limit)
    page_of = {chunk.chunk_id: chunk.end_page for chunk in await stores.books.chunks(book.book_id)}
    return [page_of[chunk_id] for chunk_id in found]


async def _finds_within_the_span(stores: Stores, index: PassageIndex) -> None:
    book = await _embedded(stores)
    await _embedded(stores, "Another")
    await index.refresh(book.book_id)
    for last_page in range(7):
        found = await _pages(stores, index, book, " ".join(STORY), last_page=last_page)
        assert sorted(found) == list(range(1, last_page + 1))
    for page, text in enumerate(STORY, start=1):
        assert (await _pages(stores, index, book, text, last_page=6))[0] == page
    assert await _pages(stores, index, book, STORY[2], last_page=6, limit=1) == [3]


async def _takes_in_what_changes(stores: Stores, index: PassageIndex) -> None:
    book = await stores.add_book()
    assert await _pages(stores, index, book, STORY[0], last_page=6) == []
    await _embed_what_is_missing(stores, book, limit=4)
    await index.refresh(book.book_id)
    assert sorted(await _pages(stores, index, book, STORY[0], last_page=6)) == [1, 2, 3, 4]
    assert await index.count(ReadableSpan(book_id=book.book_id, last_page=0)) == 4
    await _embed_what_is_missing(stores, book)
    await index.refresh(book.book_id)
    assert len(await _pages(stores, index, book, STORY[0], last_page=6)) == 6
    await stores.books.remove(book.book_id)
    await index.refresh(book.book_id)
    assert await _pages(stores, index, book, STORY[0], last_page=6) == []
    again = await _embedded(stores)
    await index.refresh(again.book_id)
    assert (await _pages(stores, index, again, STORY[4], last_page=6))[0] == 5


async def test_it_finds_the_nearest_within_the_span(stores: Stores, index: PassageIndex) -> None:
    await _finds_within_the_span(stores, index)


async def test_a_chunk_is_found_by_each_of_its_windows(stores: Stores, index: PassageIndex) -> None:
    await _each_window_counts(stores, index)


async def test_it_takes_in_new_vectors_removals_and_books_that_come_again(stores: Stores, index: PassageIndex) -> None:
    await _takes_in_what_changes(stores, index)


async def test_a_book_that_is_not_there_gives_nothing(index: PassageIndex) -> None:
    vector = np.ones(128, dtype=np.float32)
    assert await ids_found(index, ReadableSpan(book_id="b_none", last_page=3), vector, limit=5) == []


async def test_closing_it_is_quiet_and_the_vectors_stay(stores: Stores, index: PassageIndex) -> None:
    book = await _embedded(stores)
    await index.close()
    assert await stores.vectors.count(book.book_id, MODEL_ID) == 6


@pytest.mark.parametrize(
    "holds",
    [_finds_within_the_span, _each_window_counts, _takes_in_what_changes],
    ids=["span", "windows", "changes"],
)
@pytest.mark.parametrize("kept", ["folder", "server"])
async def test_chroma_does_the_same(
    stores: Stores,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    kept: str,
    holds: Callable[[Stores, PassageIndex], Awaitable[None]],
) -> None:
    said: list[str] = []
    store: ChromaStore = ChromaFolder(tmp_path / "chroma", said.append)
    if kept == "server":
        program: ChromaProgram = request.getfixturevalue("chroma_server")
        store = ChromaServer(ChromaAddress.of(program.url(f"own-{uuid4().hex}")), said.append)
    exact = ExactPassageIndex(stores.vectors, model_id=MODEL_ID, dimensions=128)
    index = ChromaPassageIndex(store, exact=exact, model_id=MODEL_ID)
    try:
        await holds(stores, index)
        assert await index.usable()
    finally:
        await index.close()
    assert said == []
