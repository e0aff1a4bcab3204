"""The traces of a question: its words by sentence, on the read pages only."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from adapters.readers.choose import reader_for
from benchmarks.labelled import PRACTICE, SAMPLE
from core.answering.extracts.place_scores import runs_around
from core.answering.extracts.read_text import ReadText
from core.domain.passage import readable
from tests.property.books import Shelf, shelf

_BOOKS = [SAMPLE / "novel.txt", *sorted(PRACTICE.glob("*/book.txt"))]


@pytest.fixture
def store(empty_database: Path, tmp_path: Path) -> Iterator[Shelf]:
    with shelf(empty_database, tmp_path) as made:
        yield made


@pytest.mark.parametrize("path", _BOOKS, ids=lambda path: path.parent.name)
async def test_every_word_is_in_the_sentence_that_the_finders_assign(store: Shelf, path: Path) -> None:
    pages = reader_for(path).read(path).pages
    read, book = ReadText(pages), await store.add_pages([page.text for page in pages])
    runs = [(page, min(page + 2, len(pages))) for page in range(1, len(pages) + 1, 3)]
    traces = await store.lexical.traces(readable(book, len(pages)), "the lamp", runs)
    assert traces is not None
    counted = [sum(each.running for each in read.sentences(*run)) for run in runs]
    assert [each.shape[1] for each in traces.held] == counted
    assert [len(each) for each in traces.theme] == counted


async def test_unread_pages_have_no_traces(store: Shelf) -> None:
    texts = ["The lamp was lit.", "Nothing at all.", "The lamp broke, and the lamp fell."]
    short, whole = await store.add_pages(texts[:2]), await store.add_pages(texts)
    of_both = [
        await store.lexical.traces(readable(book, 2), "Who broke the lamp?", runs_around([1], 2))
        for book in (short, whole)
    ]
    assert of_both[0] is not None
    assert of_both[1] is not None
    for name in ("scores", "rarities"):
        assert np.array_equal(getattr(of_both[0], name), getattr(of_both[1], name))
    assert np.array_equal(of_both[0].held[0], of_both[1].held[0])
