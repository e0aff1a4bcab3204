"""What every LexicalIndex does."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.retrieval.lexical_index import Bm25LexicalIndex
from core.domain.passage import ReadableSpan
from core.ports.lexical_index import LexicalIndex
from core.ports.passage_index import Near
from tests.builders import STORY, a_book_text
from tests.contracts.stores import Stores
from tests.fakes.lexical_index import InMemoryLexicalIndex
from tests.memory import memory_database

_EVERY_WORD = " ".join(STORY)


@pytest.fixture
def stores() -> Stores:
    return Stores(memory_database())


@pytest.fixture(params=["memory", "bm25"])
def index(request: pytest.FixtureRequest, stores: Stores, workers: ThreadPoolExecutor) -> LexicalIndex:
    if request.param == "memory":
        return InMemoryLexicalIndex(stores.books)
    return Bm25LexicalIndex(stores.books, workers=workers)


async def _pages(stores: Stores, found: list[tuple[int, float]], book_id: str) -> list[int]:
    page_of = {chunk.chunk_id: chunk.end_page for chunk in await stores.books.chunks(book_id)}
    return [page_of[chunk_id] for chunk_id, _ in found]


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("ledger", [3]),
        ("LEDGERS", [3]),
        ("Where is Tobias's ledger?", [3, 2]),
        ("compass glove magistrate chapel", [6, 5]),
        ("kangaroo", []),
        ("“Fenn’s”", [2]),
    ],
)
async def test_chunks_with_the_words_come_best_first(
    stores: Stores, index: LexicalIndex, query: str, pages: list[int]
) -> None:
    book_id = (await stores.add_book()).book_id
    found = await index.rank(ReadableSpan(book_id=book_id, last_page=6), query, nearest=Near(), limit=20)
    assert (await _pages(stores, found, book_id))[: len(pages)] == pages
    assert bool(found) is bool(pages)


@pytest.mark.parametrize("last_page", range(7))
async def test_all_that_is_found_is_within_the_span(stores: Stores, index: LexicalIndex, last_page: int) -> None:
    book_id = (await stores.add_book()).book_id
    found = await index.rank(ReadableSpan(book_id=book_id, last_page=last_page), _EVERY_WORD, nearest=Near(), limit=20)
    scores = [score for _, score in found]
    assert sorted(await _pages(stores, found, book_id)) == list(range(1, last_page + 1))
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


async def test_what_is_near_in_meaning_counts_where_it_is_readable(stores: Stores, index: LexicalIndex) -> None:
    book_id = (await stores.add_book()).book_id
    near = [(chunk.chunk_id, 0.5) for chunk in await stores.books.chunks(book_id) if chunk.end_page in {2, 5}]
    found = await index.rank(
        ReadableSpan(book_id=book_id, last_page=3), "kangaroo", nearest=Near(chunks=near), limit=20
    )
    assert await _pages(stores, found, book_id) == [2]


async def test_unread_pages_weigh_nothing_in_any_score(stores: Stores, index: LexicalIndex) -> None:
    short = (await stores.add_book(a_book_text(STORY[:3], title="Short"))).book_id
    whole = (await stores.add_book()).book_id
    scores = [
        [
            score
            for _, score in await index.rank(
                ReadableSpan(book_id=book, last_page=3), _EVERY_WORD, nearest=Near(), limit=20
            )
        ]
        for book in (short, whole)
    ]
    assert scores[0] == scores[1]


async def test_after_a_refresh_it_knows_what_the_store_has_now(stores: Stores, index: LexicalIndex) -> None:
    book = await stores.add_book()
    span = ReadableSpan(book_id=book.book_id, last_page=6)
    before = await index.rank(span, "ledger", nearest=Near(), limit=5)
    await stores.books.remove(book.book_id)
    await index.refresh(book.book_id)
    assert await index.rank(span, "ledger", nearest=Near(), limit=5) == []
    again = await stores.add_book()
    await index.refresh(again.book_id)
    after = await index.rank(ReadableSpan(book_id=again.book_id, last_page=6), "ledger", nearest=Near(), limit=5)
    assert await _pages(stores, after, again.book_id) == [3]
    assert before != after
