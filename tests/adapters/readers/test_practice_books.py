"""The labelled practice books, if available, are read exactly as labelled."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import PageSource

_BOOKS = Path(__file__).resolve().parents[3] / ".." / "shared" / "books"
_NAMES = (
    "ethan-frome",
    "frankenstein",
    "invisible-man",
    "secret-garden",
    "study-in-scarlet",
    "treasure-island",
)

pytestmark = pytest.mark.skipif(not _BOOKS.is_dir(), reason="the practice books are not here")


@pytest.mark.parametrize("name", _NAMES)
def test_pages_and_chapters_are_as_labelled(name: str) -> None:
    folder = _BOOKS / name
    book = reader_for(folder / "book.txt").read(folder / "book.txt")
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    found = [{key: value for key, value in asdict(chapter).items() if key != "path"} for chapter in book.chapters]
    assert found == json.loads((folder / "chapters.json").read_text(encoding="utf-8"))
    assert len(book.pages) == meta["pages"]
    assert book.page_source is PageSource.FORM_FEEDS
