"""The page bound over the wired house with Chroma and embeddings.

Sampled: every twelfth page of the sample, its first three and its last, and pages before and on which chapters begin;
every third labelled question.
"""

import asyncio
import json
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import BookText
from core.domain.passage import SearchResult
from tests.property.books import cut_after
from tests.property.houses import SAMPLE, wired
from tests.tiny_minilm import make_tiny_minilm

_QUERIES = ("Who put Arthur Prewett under the weighbridge?", "the bushel and the bronze measures", "rain", "sugar beet")
_LATE = "confession of the murderer at the end, and the trial"
_EVERYTHING = 100_000


@pytest.fixture(scope="module")
def text() -> BookText:
    return reader_for(SAMPLE).read(SAMPLE)


@pytest.fixture(scope="module", params=["by default", "minilm"])
def minilm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The model of the settings: WordLlama's vectors where there is no other, both in Chroma."""
    if request.param == "by default":
        return None
    return make_tiny_minilm(tmp_path_factory.mktemp("models") / "minilm", [SAMPLE.read_text("utf-8")])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, minilm: Path | None) -> Path:
    folder = tmp_path_factory.mktemp("house")

    async def fill() -> None:
        async with wired(folder, minilm=minilm) as house:
            await house.library.add(SAMPLE, scope="local", title="Short Weight")

    asyncio.run(fill())
    return folder


async def test_a_huge_search_gives_the_words_of_the_pages_read(home: Path, minilm: Path | None, text: BookText) -> None:
    async with wired(home, minilm=minilm) as house:
        assert house.chroma is not None
        book = await house.library.find(scope="local", name="short")
        query = f"{_LATE} {text.pages[0].text[:80]}"  # something that every page after the first has read
        for page in [0, *_some_pages(text)]:
            found = await house.search.execute(book.book_id, query, position=page, top_k=_EVERYTHING)
            assert all(result.start_page == result.end_page <= page for result in found)
            in_order = sorted(found, key=lambda result: result.chunk_id)
            read = " ".join(one.text for one in text.pages[:page]).split()
            assert " ".join(result.text for result in in_order).split() == read
        assert await house.chroma.usable()


async def test_five_results_are_of_read_pages(home: Path, minilm: Path | None, text: BookText) -> None:
    async with wired(home, minilm=minilm) as house:
        book = await house.library.find(scope="local", name="short")
        for page in _some_pages(text):
            for query in (_QUERIES[page % len(_QUERIES)], _LATE):
                found = await house.search.execute(book.book_id, query, position=page, top_k=5)
                assert len(found) <= 5
                assert max((result.end_page for result in found), default=0) <= page


@pytest.mark.parametrize("page", [1, 82])
async def test_the_whole_search_is_as_if_the_book_ended_here(
    home: Path, minilm: Path | None, text: BookText, page: int, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.txt"
    cut.write_text("\f".join(one.text for one in cut_after(text, page).pages) + "\f" * (page == 1), encoding="utf-8")
    async with wired(home, minilm=minilm) as house, wired(tmp_path / "other", minilm=minilm) as other:
        whole = await house.library.find(scope="local", name="short")
        ended = (await other.library.add(cut, scope="local", title="Short Weight")).book
        for query in (*_QUERIES, _LATE):
            in_whole = await house.search.execute(whole.book_id, query, position=page, top_k=20)
            in_ended = await other.search.execute(ended.book_id, query, position=page, top_k=20)
            assert _shown(in_whole) == _shown(in_ended)
            assert in_whole or page == 1


async def test_labelled_questions_never_find_an_unread_page(home: Path, minilm: Path | None) -> None:
    questions = [json.loads(line) for line in (SAMPLE.parent / "questions.jsonl").read_text("utf-8").splitlines()]
    async with wired(home, minilm=minilm) as house:
        book = await house.library.find(scope="local", name="short")
        for question in questions[::3]:
            found = await house.search.execute(
                book.book_id, question["question"], position=question["at_page"], top_k=_EVERYTHING
            )
            assert max((result.end_page for result in found), default=0) <= question["at_page"]


def _some_pages(text: BookText) -> list[int]:
    turns = {chapter.first_page for chapter in text.chapters[1::2]}
    last = len(text.pages)
    return sorted({*range(1, 4), *range(12, last, 12), *turns, *(page - 1 for page in turns), last} - {0})


def _shown(results: list[SearchResult]) -> list[tuple[int, str, float]]:
    return [(result.end_page, result.text, result.score) for result in results]
