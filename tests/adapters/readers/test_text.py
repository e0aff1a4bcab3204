"""Plain text books: pages, names, licence, speed."""

import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.readers.headings import headings_in
from adapters.readers.layout import TextLayout
from adapters.readers.pages import estimated_pages
from adapters.readers.paragraphs import paragraphs_of, wrap_width
from adapters.readers.text import TextBookReader
from core.domain.book import PageSource
from tests.adapters.readers.files import prose, read_back

_GUTENBERG = """The Project Gutenberg eBook of Emma

Title: Emma; or,
    A Match

Author: Jane Austen

*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***

Emma Woodhouse, handsome.

End of the Project Gutenberg EBook of Emma
*** END OF THE PROJECT GUTENBERG EBOOK EMMA ***
Small print.
"""


def test_form_feeds_are_pages_and_blank_ones_keep_their_number(tmp_path: Path) -> None:
    book = read_back(tmp_path, "one\n\f\n\n\fthree\n\f\n")
    assert [(page.number, page.text, page.start_offset) for page in book.pages] == [
        (1, "one", 0),
        (2, "", 4),
        (3, "three", 5),
    ]
    assert book.page_source is PageSource.FORM_FEEDS


@pytest.mark.parametrize("text", ["one\n\f", "one"])
def test_a_text_without_inner_form_feeds_gets_estimated_pages(text: str, tmp_path: Path) -> None:
    book = read_back(tmp_path, text)
    assert [page.text for page in book.pages] == ["one"]
    assert book.page_source is PageSource.ESTIMATED


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join([prose(80)] * 40),
        "\n".join([prose(80)] * 40),
        prose(4_000),
        "word " * 4_000,
        "\n\n".join([prose(700)] * 5),
        "\n\n".join([prose(100), "word " * 900, prose(1_500)]),
        "Short line\n" * 1_500,
    ],
    ids=["paragraphs", "lines", "one line", "no full stop", "long paragraphs", "monster sentence", "verse"],
)
def test_estimated_pages_are_of_about_300_words(text: str, tmp_path: Path) -> None:
    pages = read_back(tmp_path, text).pages
    assert " ".join(page.text for page in pages).split() == text.split()
    for page in pages[:-1]:
        assert 150 <= len(page.text.split()) <= 450


@pytest.mark.parametrize(
    ("text", "per_page"),
    [
        ("老人走到了海边。" * 6_000, 600),
        ("\n\n".join(["老人走到了海边。" * 12] * 500), 600),
        ("山水人天地" * 9_600, 600),
        ("x" * 48_000, 1_800),
        ("ภาษาไทย" * 6_000, 1_800),
    ],
    ids=["sentences", "paragraphs", "no full stop", "one word", "Thai"],
)
def test_text_without_spaces_has_pages_too(text: str, per_page: int, tmp_path: Path) -> None:
    pages = [page.text for page in read_back(tmp_path, text).pages]
    assert _letters("".join(pages)) == _letters(text)
    assert all(per_page / 2 <= len(page) <= per_page * 1.5 for page in pages[:-1])
    assert all(page.endswith("。") for page in pages if "。" in text)


def test_hard_wrapped_prose_is_joined_and_verse_is_not(tmp_path: Path) -> None:
    wrapped = (
        "It is a truth universally acknowledged, that a single man in possession\n"
        "of a good fortune, must be in want of a wife. However little known the\n"
        "feelings or views of such a man may be on his first entering a place.\n"
    )
    verse = (
        "The curfew tolls the knell of parting day,\nThe lowing herd\nWinds slowly o'er the lea,\nAnd all is still\n"
    )
    pages = read_back(tmp_path, f"{wrapped}\n{wrapped}\n{verse}\n{wrapped}").pages
    joined = " ".join(wrapped.split())
    assert pages[0].text == f"{joined}\n\n{joined}\n\n{verse.strip()}\n\n{joined}"


def test_a_gutenberg_header_names_the_book_and_the_licence_is_cut(tmp_path: Path) -> None:
    book = read_back(tmp_path, _GUTENBERG)
    assert (book.title, book.author) == ("Emma; or, A Match", "Jane Austen")
    assert [page.text for page in book.pages] == ["Emma Woodhouse, handsome."]


@pytest.mark.parametrize(
    "text",
    [
        "word " * 120_000,
        f"{prose(100)}\n\n" * 1_320,
        "Chapter \n" * 66_000,
        " \n" * 300_000 + "a",
        "老人走到了海边，看着那片灰色的海，什么也没有说。" * 8_400,
        "山" * 204_000,
        "x" * 600_000,
    ],
    ids=["one line", "paragraphs", "headings", "blank lines", "Chinese", "no full stop", "one word"],
)
def test_600_kilobytes_read_in_a_third_of_a_second(text: str, tmp_path: Path) -> None:
    start = time.process_time()
    read_back(tmp_path, text)
    assert time.process_time() - start < 2  # a busy machine included


_LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "", "Chapter I", "II", "THE SHORE", "Part Two", prose(30), prose(400), "word " * 500, "山水人。" * 300]
        ),
        st.sampled_from(["Chapter ı", "İ", "ı", "Letter ſix", "x" * 9_000]),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=90),
    ),
    max_size=30,
)


@settings(max_examples=10)
@given(_LINES)
@example(["Chapter ı", "", "Hello there dog."])
@example(["İ", "", "Hello there dog.", "", "II", "", "More."])
@example(["山水人。" * 12_000])
def test_no_word_is_lost_or_doubled(lines: list[str]) -> None:
    text = "\n".join(lines)
    paragraphs = paragraphs_of(text, wrap_width(text))
    headings = headings_in(paragraphs, TextLayout.of([1] * len(paragraphs)))
    pages, page_of = estimated_pages(paragraphs, {one.front for one in headings})
    assert _letters("".join(page.text for page in pages)) == _letters(text)
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert all(later - earlier >= 0 for earlier, later in pairwise(page_of))
    joined = "\f".join(page.text for page in pages)
    for page in pages:
        assert joined[page.start_offset :].startswith(page.text)


def _letters(text: str) -> str:
    return "".join(text.split())


def test_the_story_begins_behind_an_introduction(tmp_path: Path) -> None:
    prose = "\n\n".join(["The wind rose over the harbour, and the boats were late that night."] * 60)
    text = f"INTRODUCTION\n\n{prose}\n\n\nCHAPTER I\n\n{prose}\n\n\nCHAPTER II\n\n{prose}\n"
    path = tmp_path / "sea.txt"
    path.write_text(text, encoding="utf-8")
    book = TextBookReader().read(path)
    assert book.pages[book.first_story_page - 1].text.startswith("CHAPTER I")
    assert [chapter.title.partition(":")[0] for chapter in book.chapters] == ["CHAPTER I", "CHAPTER II"]
