"""Without any setting, what stays searches in Chroma, by the vectors that ship with the program; all find the same."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from adapters.retrieval import chroma_calls, wordllama_vectors
from bot import providers
from bot.serving import complete_books
from bot.settings import load_settings
from bot.wiring import Application, build
from core.domain.scopes import LOCAL_SCOPE
from tests.bot.running import thusfar

_ASKED = ("Who is the keeper of the lamp?", "storm", "What did they find on the strand?")


@asynccontextmanager
async def _house() -> AsyncIterator[Application]:
    house = build(load_settings())
    try:
        yield house
    finally:
        await house.close()


async def _found(house: Application) -> list[list[tuple[int, str, float]]]:
    (book,) = await house.library.in_scope(scope=LOCAL_SCOPE)
    found = [await house.search.execute(book.book_id, query, position=2) for query in _ASKED]
    return [[(each.start_page, each.text, round(each.score, 4)) for each in results] for results in found]


def _found_at_once() -> list[list[tuple[int, str, float]]]:
    found = [thusfar("search", query, "--book", "small", "--page", "2", "--json").json for query in _ASKED]
    return [[(each["start_page"], each["text"], round(each["score"], 4)) for each in results] for results in found]


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each question that Chroma was asked might find."""
    asked, query = [], chroma_calls.query

    def noted(collection: object, readable: int, *given: object, **named: object) -> object:
        asked.append(readable)
        return query(collection, readable, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(chroma_calls, "query", noted)
    return asked


@pytest.fixture
def no_wordllama(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Python for which WordLlama has no wheel."""
    monkeypatch.setattr(wordllama_vectors, "_PACKAGE", "a_package_that_is_not_there")
    providers.wordllama.cache_clear()
    yield
    providers.wordllama.cache_clear()


async def _status() -> str:
    (book,) = (await asyncio.to_thread(thusfar, "books", "list", "--json")).json
    return str(book["status"])


async def test_what_stays_asks_chroma_for_the_pages_read_alone(small_book: Path, queries: list[int]) -> None:
    assert (await asyncio.to_thread(thusfar, "books", "add", str(small_book))).code == 0
    async with _house() as house:
        found = await _found(house)
        assert house.chroma is not None
        assert await house.chroma.usable()
    assert queries == [2, 2, 2]
    assert {page for results in found for page, _, _ in results} == {1, 2}


async def test_a_second_process_and_a_command_that_ends_at_once_find_the_same_without_chroma(
    small_book: Path, own_home: Path, queries: list[int]
) -> None:
    assert (await asyncio.to_thread(thusfar, "books", "add", str(small_book))).code == 0
    at_once = await asyncio.to_thread(_found_at_once)
    assert not (own_home / "chroma").exists()
    async with _house() as first, _house() as second:
        assert await _found(first) == at_once
        asked = len(queries)
        assert await _found(second) == at_once
        assert len(queries) == asked


async def test_a_home_from_before_gets_its_vectors_in_the_background_or_at_its_first_question(
    small_book: Path, own_home: Path
) -> None:
    assert (await asyncio.to_thread(thusfar, "books", "add", str(small_book))).code == 0
    expected = await asyncio.to_thread(_found_at_once)
    for heal in (_found_at_once, None):
        with closing(sqlite3.connect(own_home / "thusfar.db")) as database, database:
            database.execute("DELETE FROM chunk_vector")
        assert await _status() == "searchable"
        if heal is not None:
            assert await asyncio.to_thread(heal) == expected
        else:
            async with _house() as house:
                await complete_books(house, LOCAL_SCOPE)
                assert await _found(house) == expected
        assert await _status() == "complete"


@pytest.mark.usefixtures("no_wordllama")
def test_without_wordllama_words_are_searched_as_written_and_doctor_says_so(small_book: Path) -> None:
    assert thusfar("books", "add", str(small_book)).code == 0
    assert thusfar("books", "list", "--json").json[0]["status"] == "complete"
    assert thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json[0]["start_page"] == 1
    details = {check["name"]: check["detail"] for check in thusfar("doctor", "--json").json["checks"]}
    assert "isn't installed" in details["embeddings"]
    assert details["index"].startswith("words only")
