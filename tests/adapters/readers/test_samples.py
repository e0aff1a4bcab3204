"""Real EPUB and PDF files, if available, are read completely: pages, labels, chapters, every word in order."""

from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import BookText, PageSource
from tests.adapters.readers.independent import epub_words, pdf_words, share_in_order, words

_SAMPLES = Path(__file__).resolve().parents[3] / ".." / "shared" / "samples"
_LEAST = 0.995
_ROMAN_TO_1 = ["iv", "1", "2"]

pytestmark = pytest.mark.skipif(not _SAMPLES.is_dir(), reason="the sample books are not here")

_FACTS: dict[str, tuple[str, str, int, PageSource, int, tuple[int, int]]] = {
    "alice.epub": ("Alice's Adventures in Wonderland", "Lewis Carroll", 48, PageSource.PAGE_BREAKS, 10, (3, 48)),
    "alice_without_cover.epub": (
        "Alice's Adventures in Wonderland",
        "Lewis Carroll",
        3,
        PageSource.PAGE_BREAKS,
        0,
        (1, 3),
    ),
    "moby-dick.epub": ("Moby-Dick", "Herman Melville", 735, PageSource.ESTIMATED, 136, (15, 734)),
    "se-source-zip-invisible-man.epub": ("The Invisible Man", "H. G. Wells", 172, PageSource.ESTIMATED, 29, (2, 170)),
    "robin-hood.pdf": ("Robin Hood", "J. Walker McSpadden", 237, PageSource.PDF, 24, (5, 226)),
}


@pytest.fixture(scope="module")
def books() -> dict[str, BookText]:
    """Every book, read once."""
    return {name: reader_for(_SAMPLES / name).read(_SAMPLES / name) for name in _FACTS}


@pytest.mark.parametrize("name", _FACTS)
def test_names_pages_chapters_and_story_are_right(name: str, books: dict[str, BookText]) -> None:
    book = books[name]
    story = (book.first_story_page, book.last_story_page or len(book.pages))
    assert (book.title, book.author, len(book.pages), book.page_source, len(book.chapters), story) == _FACTS[name]
    assert [chapter.number for chapter in book.chapters] == list(range(1, len(book.chapters) + 1))


@pytest.mark.parametrize("name", [name for name in _FACTS if name.endswith(".epub")])
def test_an_epub_has_every_word_in_its_order_once(name: str, books: dict[str, BookText]) -> None:
    theirs = epub_words(_SAMPLES / name)
    ours = [word for page in books[name].pages for word in words(page.text)]
    assert share_in_order(theirs, ours) >= _LEAST
    assert share_in_order(ours, theirs) >= _LEAST


@pytest.mark.parametrize("name", [name for name in _FACTS if name.endswith(".pdf")])
def test_a_pdf_has_every_word_in_its_order_once(name: str, books: dict[str, BookText]) -> None:
    book = books[name]
    some = range(7, len(book.pages) - 1, 9)
    theirs = [word for page in pdf_words(_SAMPLES / name, some) for word in page]
    ours = [word for index in some for word in words(book.pages[index].text)]
    assert share_in_order(theirs, ours) >= _LEAST
    assert share_in_order(ours, theirs) >= _LEAST


def test_a_pdf_has_its_labels_and_no_running_heads(books: dict[str, BookText]) -> None:
    book = books["robin-hood.pdf"]
    assert [page.label for page in book.pages[3:6]] == _ROMAN_TO_1
    assert not any(page.text.startswith((f"{page.label} ", "how robin hood")) for page in book.pages)


def test_chapters_are_those_of_the_labelled_book(books: dict[str, BookText]) -> None:
    book = books["se-source-zip-invisible-man.epub"]
    labelled = _SAMPLES.parent / "books" / "invisible-man" / "book.txt"
    pages = labelled.read_text(encoding="utf-8").split("\f")
    ours = [word for page in book.pages[1:170] for word in words(page.text)]
    theirs = [word for page in pages for word in words(page) if word != "Chapter"]
    assert share_in_order(theirs, ours) >= _LEAST
    assert [one.last_page - one.first_page for one in book.chapters][:3] == [6, 5, 5]
