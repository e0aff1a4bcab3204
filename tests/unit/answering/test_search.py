"""Search within the pages read: by words, by meaning, fused; never past the page bound."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.dense import DenseSearch, Rung
from core.answering.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.passage import ReadableSpan
from core.domain.position import Position
from core.ports.lexical_index import LexicalIndex
from core.ports.passage_index import Near, PassageIndex
from core.ports.vectors import Vectors
from tests.builders import STORY, a_book_text
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.memory import give_back_databases
from tests.unit.world import World

_EVERY_WORD = " ".join(STORY)


class _CarelessIndex(LexicalIndex, PassageIndex):
    """Gives ids that it was told, whatever may be read."""

    def __init__(self, *chunk_ids: int) -> None:
        self._chunk_ids = list(chunk_ids)
        self.limits: list[int] = []

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        self.limits.append(limit)
        return [(chunk_id, 1.0) for chunk_id in self._chunk_ids][:limit]

    async def rank(self, span: ReadableSpan, query: str, *, nearest: Near, limit: int) -> list[tuple[int, float]]:
        self.limits.append(limit)
        return [(chunk_id, 1.0) for chunk_id in self._chunk_ids][:limit]

    async def count(self, span: ReadableSpan) -> int:
        return 99

    async def refresh(self, book_id: str) -> None: ...

    async def close(self) -> None: ...


class _BlindEmbeddingProvider(HashEmbeddingProvider):
    """Knows no word."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 128), dtype=np.float32)


async def _embedded(world: World) -> Book:
    book = await world.add_book()
    missing = await world.vectors.missing(book.book_id, world.embeddings.model_id, limit=99)
    vectors = await world.embeddings.embed([text for _, text in missing])
    await world.vectors.save(world.embeddings.model_id, [chunk_id for chunk_id, _ in missing], vectors)
    world.search = SearchBooksUseCase(books=world.books, lexical=world.lexical, dense=world.dense)
    return book


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("position", [None, *range(7)])
async def test_every_page_read_can_be_found_and_none_beyond(world: World, dense: bool, position: Position) -> None:
    book = await (_embedded(world) if dense else world.add_book())
    found = await world.search.execute(book.book_id, _EVERY_WORD, position=position, top_k=20)
    assert sorted(result.end_page for result in found) == list(range(1, (position or 0) + 1))
    assert {result.text for result in found} == set(STORY[: position or 0])


@given(st.text(max_size=60), st.integers(min_value=0, max_value=6), st.integers(min_value=1, max_value=9))
async def test_no_query_finds_past_the_position(query: str, position: int, top_k: int) -> None:
    give_back_databases()
    world = World()
    book = await _embedded(world)
    found = await world.search.execute(book.book_id, f"compass {query}", position=position, top_k=top_k)
    assert len(found) <= top_k
    assert all(result.end_page <= position for result in found)
    assert [result.score for result in found] == sorted((result.score for result in found), reverse=True)


@pytest.mark.parametrize("dense", [False, True])
async def test_what_an_index_says_goes_through_the_gate(world: World, dense: bool) -> None:
    book = await world.add_book()
    careless = _CarelessIndex(6, 2, 99, 1, 5, 98)
    rung = Rung(embeddings=world.embeddings, passages=careless)
    search = SearchBooksUseCase(
        books=world.books,
        lexical=world.lexical if dense else careless,
        dense=DenseSearch([rung], vectors=world.vectors) if dense else world.by_words_alone,
    )
    found = await search.execute(book.book_id, "sea monster", position=3, top_k=20)
    assert [result.text for result in found] == [STORY[1], STORY[0]]


@pytest.mark.parametrize("query", ["", "   ", "?!", "AND OR NOT", "the of and", '* ( ) " ~', "_", "🙂", "\x00"])
async def test_a_query_without_a_word_of_matter_finds_nothing(world: World, query: str) -> None:
    book = await _embedded(world)
    assert await world.search.execute(book.book_id, query, position=6) == []
    assert world.embeddings.batches == [6]


async def test_a_book_not_yet_embedded_is_found_by_words(world: World) -> None:
    book = await world.add_book()
    search = SearchBooksUseCase(books=world.books, lexical=world.lexical, dense=world.dense)
    assert [r.start_page for r in await search.execute(book.book_id, "ledger", position=6)] == [3]


async def test_a_query_that_the_embedding_does_not_know_is_left_to_words(world: World) -> None:
    book = await world.add_book()
    careless = _CarelessIndex(1, 2, 4, 5, 6, 3)
    dense = DenseSearch([Rung(embeddings=_BlindEmbeddingProvider(), passages=careless)], vectors=world.vectors)
    search = SearchBooksUseCase(books=world.books, lexical=world.lexical, dense=dense)
    assert [r.start_page for r in await search.execute(book.book_id, "ledger", position=6)] == [3]
    assert careless.limits == []


async def test_another_book_is_never_searched(world: World) -> None:
    book = await _embedded(world)
    await world.add_book(a_book_text(["The compass of another book."], title="Other"))
    found = await world.search.execute(book.book_id, "compass of another book", position=6, top_k=20)
    assert "The compass of another book." not in [result.text for result in found]
