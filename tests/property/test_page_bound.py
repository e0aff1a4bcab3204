"""For every position p the eligible text is exactly the story up to page p, whatever the book."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from core.domain.book import BookText, Page
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import SearchResult, readable
from core.language.words import content_stems
from core.ports.passage_index import Near
from tests.property.books import QUERIES, Shelf, books, cut_after, shelf, with_front

_EVERYTHING = 100_000
_quietly = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def store(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with shelf(empty_database, tmp_path_factory.mktemp("shelf")) as made:
        yield made


def _shown(results: list[SearchResult]) -> list[tuple[int, int, str, float]]:
    return [(result.start_page, result.end_page, result.text, result.score) for result in results]


@given(text=books())
@_quietly
def test_the_eligible_text_is_exactly_the_story_up_to_the_page(store: Shelf, text: BookText) -> None:
    async def check() -> None:
        book = await store.add(text)
        highest = max((chunk.chunk_id for chunk in await store.books.chunks(book.book_id)), default=0)
        every_id = range(1, highest + 1)
        for page in range(len(text.pages) + 1):
            span = readable(book, page)
            eligible = await store.books.readable_chunks(span, every_id)
            assert " ".join(chunk.text for chunk in eligible).split() == _words(text, page)
            assert all(chunk.start_page == chunk.end_page for chunk in eligible)
            read = await store.books.pages(span)
            assert [(one.number, one.text) for one in read] == [(one.number, one.text) for one in _story(text, page)]
            assert {one.end_page for one in await store.books.chunks_of_pages(span, range(1, 8))} == {
                one.end_page for one in eligible
            }

    asyncio.run(check())


@given(text=books(), query=QUERIES)
@_quietly
def test_a_search_finds_all_that_matches_in_the_pages_read_and_nothing_else(
    store: Shelf, text: BookText, query: str
) -> None:
    async def check() -> None:
        book = await store.add(text)
        wanted = content_stems(query)
        chunks = await store.books.chunks(book.book_id)
        for page in range(len(text.pages) + 1):
            found = await store.search.execute(book.book_id, query, position=page, top_k=_EVERYTHING)
            matching = {c.chunk_id for c in chunks if c.end_page <= page and wanted & content_stems(c.text)}
            assert {result.chunk_id for result in found} == matching
            assert [result.score for result in found] == sorted((r.score for r in found), reverse=True)

    asyncio.run(check())


@given(text=books(), query=QUERIES)
@_quietly
def test_unread_pages_weigh_nothing_in_any_score(store: Shelf, text: BookText, query: str) -> None:
    async def check() -> None:
        whole = await store.add(text)
        for page in range(text.first_story_page, len(text.pages) + 1):
            cut = await store.add(cut_after(text, page))
            assert await _by_words(store, whole.book_id, page, query) == await _by_words(
                store, cut.book_id, page, query
            )
            in_whole = await store.search.execute(whole.book_id, query, position=page, top_k=_EVERYTHING)
            in_cut = await store.search.execute(cut.book_id, query, position=page, top_k=_EVERYTHING)
            assert _shown(in_whole) == _shown(in_cut)

    asyncio.run(check())


@given(text=books(), query=QUERIES)
@_quietly
def test_what_stands_before_the_story_weighs_nothing_in_any_score(store: Shelf, text: BookText, query: str) -> None:
    async def check() -> None:
        book, other = await store.add(text), await store.add(with_front(text, f"{query} river Holmes walked"))
        for page in range(len(text.pages) + 1):
            assert await _by_words(store, book.book_id, page, query) == await _by_words(
                store, other.book_id, page, query
            )

    asyncio.run(check())


@given(text=books(), query=QUERIES)
@settings(max_examples=5)
def test_no_position_outside_the_book_is_searched(store: Shelf, text: BookText, query: str) -> None:
    async def check() -> None:
        book = await store.add(text)
        for outside in (-1, len(text.pages) + 1, 10**9):
            with pytest.raises(BookError) as refused:
                await store.search.execute(book.book_id, query, position=outside)
            assert refused.value.code is BookErrorCode.PAGE_OUT_OF_RANGE
        assert await store.search.execute(book.book_id, query, position=0) == []
        assert await store.search.execute(book.book_id, query, position=None) == []

    asyncio.run(check())


async def _by_words(store: Shelf, book_id: str, page: int, query: str) -> list[tuple[int, str, float]]:
    span = readable(await store.books.get(book_id), page)
    found = await store.lexical.rank(span, query, nearest=Near(), limit=_EVERYTHING)
    chunks = {chunk.chunk_id: chunk for chunk in await store.books.chunks(book_id)}
    return [(chunks[chunk_id].end_page, chunks[chunk_id].text, score) for chunk_id, score in found]


def _words(text: BookText, page: int) -> list[str]:
    return " ".join(one.text for one in _story(text, page)).split()


def _story(text: BookText, page: int) -> Sequence[Page]:
    return text.pages[text.first_story_page - 1 : page]
