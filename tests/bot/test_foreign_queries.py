"""A query that the read pages hold nothing of finds nothing, by default: in `search` and for the model's tools."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import load_settings
from bot.wiring import Application, build
from core.answering.search import TurnSearch
from core.answering.tools.search_book import NOTHING_FOUND, search_tool
from core.domain.book import Book
from core.domain.scopes import LOCAL_SCOPE
from tests.bot.running import ROOT, thusfar

_FOREIGN = [
    query
    for queries in json.loads((ROOT / "fixtures" / "foreign_queries.json").read_text(encoding="utf-8")).values()
    for query in queries
]
_MOST_FOUND = 4
_LATER, _INVENTED = ("Coupland", "Dunstable", "Wakefield"), "Quorvale"
"""Names that the sample has from p. 35, 71 and 82 on, and one that no book has."""


@pytest.fixture
async def house(sample: Path) -> AsyncIterator[Application]:
    """The house over the sample, with its default settings."""
    house = build(load_settings())
    try:
        yield house
    finally:
        await house.close()


@pytest.fixture
async def book(house: Application) -> Book:
    (book,) = await house.library.in_scope(scope=LOCAL_SCOPE)
    return book


def test_there_are_forty_of_four_kinds() -> None:
    assert len(set(_FOREIGN)) == 40


@pytest.mark.parametrize("page", [1, 20, 51, 83])
async def test_foreign_queries_find_nothing(house: Application, book: Book, page: int) -> None:
    found = [
        query for query in _FOREIGN if await house.search.execute(book.book_id, query, position=min(page, book.pages))
    ]
    assert len(found) <= _MOST_FOUND, found


async def test_the_models_tool_says_so(house: Application, book: Book) -> None:
    tool = search_tool(TurnSearch(house.search, book, 60))
    for query in ("Dumbledore", "zxqvyw"):
        output = await tool.run({"query": query, "top_k": 5})
        assert (output.text, output.count) == (NOTHING_FOUND, 0)
    assert (await tool.run({"query": "the weighbridge", "top_k": 5})).count


@pytest.mark.usefixtures("sample")
def test_the_command_says_so() -> None:
    assert thusfar("search", "zxqvyw", "--book", "sample", "--page", "80").out == "Nothing found.\n"


@pytest.mark.parametrize("name", _LATER)
async def test_a_later_name_finds_just_what_an_invented_one_does(house: Application, book: Book, name: str) -> None:
    for query in ("{}", "What about the {}?", "Is it {} who did it?"):
        for one in (name, _INVENTED):
            assert await house.search.execute(book.book_id, query.format(one), position=10) == []
    assert await house.search.execute(book.book_id, name, position=book.pages)


async def test_scores_tell_how_much_of_a_query_the_best_page_holds(house: Application, book: Book) -> None:
    async def best(query: str) -> float:
        return (await house.search.execute(book.book_id, query, position=book.pages))[0].score

    assert await best("the weighbridge") > 0.8
    assert 0 < await best("a weighbridge of Dumbledore and Voldemort") < 0.5


async def test_a_word_of_the_same_meaning_finds_its_page(tmp_path: Path, own_home: Path) -> None:
    path = tmp_path / "car.txt"
    path.write_text("The physician came at noon.\fThe garden lay in the rain.", encoding="utf-8")
    house = build(load_settings())
    try:
        made = (await house.library.add(path, scope=LOCAL_SCOPE)).book
        assert (await house.search.execute(made.book_id, "doctor", position=2))[0].start_page == 1
        assert await house.search.execute(made.book_id, "Potter", position=2) == []
    finally:
        await house.close()
