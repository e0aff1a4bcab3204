"""What WordTraces does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.domain.passage import ReadableSpan, readable
from core.ports.word_traces import WordTraces
from tests.builders import a_book_text
from tests.property.books import shelf


@pytest.fixture
async def at_page(empty_database: Path, tmp_path: Path) -> AsyncIterator[tuple[WordTraces, ReadableSpan]]:
    """An index of a book of six pages of which four are read."""
    with shelf(empty_database, tmp_path) as made:
        yield made.lexical, readable(await made.add(a_book_text()), 4)


async def test_there_is_a_part_for_each_run_and_a_row_for_each_word(at_page: tuple[WordTraces, ReadableSpan]) -> None:
    index, span = at_page
    traces = await index.traces(span, "Who broke the brass lamp?", [(1, 2), (4, 4)])
    assert traces is not None
    rows = len(traces.stems)
    assert rows == len(traces.rarities) == len(traces.is_read) == 3
    assert [len(each) for each in (traces.held, traces.gist, traces.squares, traces.theme)] == [2] * 4
    for held, *others in zip(traces.held, traces.gist, traces.squares, traces.theme, strict=True):
        assert held.shape == (rows, len(others[0]))
        assert len({len(each) for each in others}) == 1
        assert held.min() >= 0
        assert held.max() <= 1


async def test_only_pages_that_are_read_are_scored(at_page: tuple[WordTraces, ReadableSpan]) -> None:
    index, span = at_page
    traces = await index.traces(span, "lamp", [(1, 4)])
    assert traces is not None
    assert set(traces.pages) <= {1, 2, 3, 4}
    assert len(traces.scores) == len(traces.pages)
