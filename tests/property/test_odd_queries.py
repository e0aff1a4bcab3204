"""A query of any kind never raises and never leaks, by words and by meaning."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answering.ask import AskRequest
from tests.property.houses import SAMPLE, wired

_PAGE = 7
_NOTHING_TO_LOOK_FOR = ("", " \n\t", "the of and what is it", "*", '"', "()", "- -", "\x00\x01\x1b", "...", "_", "'’'")
_ODD = (
    "weighbridge " * 900,
    "x" * 10_000,
    "🎉🕯️👩‍👩‍👧",
    "谁杀了他",
    "من قتل أرثر",
    "Ποιος τον σκότωσε;",
    "'; DROP TABLE book; --",
    '"weighbridge" AND NEAR(',
    "weighbridge*",
    "-weighbridge",
    "text:weighbridge",
    "book_id:b_1 OR weighbridge",
    "weigh\x00bridge\x1b[31m",
    "\ud800 weighbridge",
    "weighbridge \udcff",
    "../../etc/passwd",
    "{{ book.title }} {% raw %}",
    "a\u0301\u0301\u0301",
    "\u202eegdirbhgiew",
    "%s %d {0} \\",
    "1e309 -0 NaN",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")

    async def fill() -> None:
        async with wired(folder) as house:
            await house.library.add(SAMPLE, scope="local", title="Short Weight")

    asyncio.run(fill())
    return folder


async def test_a_query_without_a_content_word_finds_nothing(home: Path) -> None:
    async with wired(home) as house:
        book = await house.library.find(scope="local", name="short")
        for query in _NOTHING_TO_LOOK_FOR:
            assert await house.search.execute(book.book_id, query, position=book.pages) == [], ascii(query)


async def test_an_odd_query_neither_raises_nor_leaks(home: Path) -> None:
    async with wired(home) as house:
        book = await house.library.find(scope="local", name="short")
        for query in _ODD:
            for page in (0, _PAGE):
                found = await house.search.execute(book.book_id, query, position=page, top_k=100_000)
                assert all(result.end_page <= page for result in found), ascii(query[:20])
            found = await house.search.execute(book.book_id, query, position=book.pages)
            assert found or "weighbridge" not in query, ascii(query[:20])
        assert (await house.library.get(book.book_id)).chunks == book.chunks


async def test_a_question_of_any_kind_is_answered_from_read_pages(home: Path) -> None:
    async with wired(home) as house:
        book = await house.library.find(scope="local", name="short")
        for question in (*_NOTHING_TO_LOOK_FOR, *_ODD):
            answer = await house.ask.execute(AskRequest(question=question, book_id=book.book_id, page=_PAGE))
            assert answer.outcome.text
            assert all(source.end_page <= _PAGE for source in answer.outcome.sources)


@given(query=st.text(alphabet=st.characters(), max_size=60))
@settings(max_examples=8)
def test_any_text_is_a_query(home: Path, query: str) -> None:
    async def check() -> None:
        async with wired(home) as house:
            book = await house.library.find(scope="local", name="short")
            found = await house.search.execute(book.book_id, query, position=_PAGE, top_k=50)
            assert all(result.end_page <= _PAGE for result in found)

    asyncio.run(check())
