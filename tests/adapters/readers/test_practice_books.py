"""The labelled practice books, if available, are read exactly as labelled."""

import json
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import PageSource
from core.language.chunking import chunk_pages

_BOOKS = Path(__file__).resolve().parents[3] / ".." / "shared" / "books"
_NAMES = (
    "ethan-frome",
    "frankenstein",
    "invisible-man",
    "secret-garden",
    "study-in-scarlet",
    "treasure-island",
)
_LONG = ("frankenstein", "invisible-man")

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


@pytest.mark.parametrize("name", _NAMES)
def test_chapters_are_the_same_without_form_feeds(name: str, tmp_path: Path) -> None:
    folder = _BOOKS / name
    text = (folder / "book.txt").read_text(encoding="utf-8").replace("\f", "\n\n")
    (tmp_path / "book.txt").write_text(text, encoding="utf-8")
    book = reader_for(tmp_path / "book.txt").read(tmp_path / "book.txt")
    labelled = json.loads((folder / "chapters.json").read_text(encoding="utf-8"))
    assert [chapter.title for chapter in book.chapters] == [chapter["title"] for chapter in labelled]
    assert " ".join(page.text for page in book.pages).split() == text.split()
    assert book.page_source is PageSource.ESTIMATED


@pytest.mark.parametrize("name", _NAMES)
def test_without_its_headings_a_novel_has_no_chapters(name: str, tmp_path: Path) -> None:
    folder = _BOOKS / name
    pages = (folder / "book.txt").read_text(encoding="utf-8").split("\f")
    for chapter in json.loads((folder / "chapters.json").read_text(encoding="utf-8")):
        paragraphs = pages[chapter["first_page"] - 1].split("\n\n")
        headed = 2 if name == "invisible-man" and chapter["title"] != "Epilogue" else 1
        pages[chapter["first_page"] - 1] = "\n\n".join(paragraphs[headed:])
    for divider in ("\f", "\n\n"):
        (tmp_path / "book.txt").write_text(divider.join(pages), encoding="utf-8")
        assert reader_for(tmp_path / "book.txt").read(tmp_path / "book.txt").chapters == ()


def test_a_long_novel_reads_and_chunks_in_two_seconds(tmp_path: Path) -> None:
    texts = [(_BOOKS / name / "book.txt").read_text(encoding="utf-8").replace("\f", "\n\n") for name in _LONG]
    path = tmp_path / "novel.txt"
    path.write_text("\n\n".join(texts), encoding="utf-8")
    start = time.process_time()
    book = reader_for(path).read(path)
    chunks = chunk_pages(book.pages, book.chapters)
    assert time.process_time() - start < 10  # a busy machine included
    assert len(chunks) >= len(book.pages)
