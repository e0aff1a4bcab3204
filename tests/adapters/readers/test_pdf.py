"""PDF books: real pages, labels, chapters, and the text as it is read."""

import re
from pathlib import Path

import pytest

from adapters.readers.pdf.lines import PdfLine
from adapters.readers.pdf.paragraphs import Hyphens
from core.domain.book import BookText, PageSource
from tests.adapters.readers.files import read_back
from tests.adapters.readers.pdfs import HEIGHT, LEADING, LEFT, TOP, Pdf, Shown, encrypted, flowed

_STORY = (
    "The tide had gone out and left the boats lying on the grey mud below the town, where nobody walked.\n\n"
    "Old Tasker counted them twice, since one of them was not his own and had no name on it at all."
)
_PAGE = flowed(_STORY)


def _read(folder: Path, pdf: Pdf | bytes) -> BookText:
    return read_back(folder, pdf if isinstance(pdf, bytes) else pdf.made(), "book.pdf")


def test_every_page_of_the_file_is_a_page(tmp_path: Path) -> None:
    book = _read(tmp_path, Pdf(pages=[_PAGE, [], _PAGE], title="Mud", author="A. Nobody"))
    assert [page.text for page in book.pages] == [_STORY, "", _STORY]
    assert [page.label for page in book.pages] == [None, None, None]
    assert (book.title, book.author) == ("Mud", "A. Nobody")
    assert book.page_source is PageSource.PDF


@pytest.mark.parametrize(
    ("title", "author"),
    [
        ("untitled", "anonymous"),
        (r"\(Untitled\)", r"\(unspecified\)"),
        ("Microsoft Word - mud.doc", "user"),
        ("mud.indd", ""),
    ],
)
def test_default_metadata_of_a_program_names_no_book(title: str, author: str, tmp_path: Path) -> None:
    book = _read(tmp_path, Pdf(pages=[_PAGE], title=title, author=author))
    assert (book.title, book.author) == ("Book", None)


def test_labels_are_those_of_the_file(tmp_path: Path) -> None:
    labels = "0 << /S /r >> 2 << /S /D >> 4 << /P (A-) /S /D /St 8 >>"
    book = _read(tmp_path, Pdf(pages=[_PAGE] * 5, labels=labels))
    assert [page.label for page in book.pages] == ["i", "ii", "1", "2", "A-8"]


def test_running_heads_and_page_numbers_are_no_text_but_labels(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 13):
        head = Shown(f"{number} Mud" if number % 2 == 0 else f"The Tide {number}", y=HEIGHT - 30)
        body = flowed(f"On day {number} they went out. {_STORY}")
        pages.append([head, *body] if number > 1 else [*body, Shown("1", x=200, y=30)])
    book = _read(tmp_path, Pdf(pages=[[Shown("Mud", size=24)], *pages]))
    assert book.pages[5].text == f"On day 5 they went out. {_STORY}"
    assert all("Tide 3" not in page.text and "Mud" not in page.text for page in book.pages[1:])
    assert [page.label for page in book.pages] == [None, *map(str, range(1, 13))]


def test_a_chapter_on_each_page_is_no_running_head(tmp_path: Path) -> None:
    pages = [[Shown(f"Chapter {number}", y=TOP + 40, size=16), *_PAGE] for number in range(1, 7)]
    book = _read(tmp_path, Pdf(pages=pages))
    assert [chapter.title for chapter in book.chapters] == [f"Chapter {number}" for number in range(1, 7)]
    assert all(page.text.startswith(f"Chapter {page.number}") for page in book.pages)


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "text"),
    [
        ("They had to under-", "stand the sea.", "", "They had to understand the sea."),
        ("The fisher-", "man went.", "a fisher-man", "The fisher-man went."),
        ("The fisher-", "man went.", "a fisherman", "The fisherman went."),
        ("He met Anne-", "Marie there.", "", "He met Anne-Marie there."),
        ("She waited -", "and went.", "", "She waited - and went."),
    ],
)
def test_hyphenated_words_are_joined(first: str, second: str, elsewhere: str, text: str, tmp_path: Path) -> None:
    lines = [Shown(first), Shown(second, y=TOP - LEADING), Shown(elsewhere, y=TOP - 6 * LEADING)]
    assert _read(tmp_path, Pdf(pages=[lines])).pages[0].text.split("\n\n")[0] == text


def test_parts_of_words_that_lines_divide_are_no_words_of_the_book() -> None:
    def line(text: str) -> PdfLine:
        return PdfLine(text=text, left=0, right=9, base=0, height=9)

    hyphens = Hyphens([line(text) for _ in range(4) for text in ("They saw it com‐", "ing from the sea")])
    assert hyphens.mended("They saw it com", "ing in") == "They saw it coming in"


def test_a_word_split_across_two_pages_is_on_the_later_one(tmp_path: Path) -> None:
    book = _read(tmp_path, Pdf(pages=[[Shown("They had to under-")], [Shown("stand the sea.")]]))
    assert [page.text for page in book.pages] == ["They had to", "understand the sea."]


def _columns(*, row_by_row: bool) -> list[Shown]:
    left = [Shown(f"left line {number} of the page,", y=TOP - LEADING * number) for number in range(1, 13)]
    right = [Shown(f"right line {number} of the page,", x=240, y=TOP - LEADING * number) for number in range(1, 13)]
    pairs = [one for pair in zip(left, right, strict=True) for one in pair]
    return [
        Shown("A heading that stands across both of the columns of this page", y=TOP + 30),
        *(pairs if row_by_row else left + right),
    ]


@pytest.mark.parametrize("row_by_row", [True, False])
def test_columns_are_read_one_after_the_other(row_by_row: bool, tmp_path: Path) -> None:
    text = _read(tmp_path, Pdf(pages=[_columns(row_by_row=row_by_row)])).pages[0].text
    expected = [f"{side} line {number} of the page," for side in ("left", "right") for number in range(1, 13)]
    heading = "A heading that stands across both of the columns of this page"
    assert " ".join(text.split()) == " ".join([heading, *expected])


@pytest.mark.parametrize("box", ["0 0 0 0", "0 0 750 750"])
def test_a_font_that_names_no_letters_is_read_by_their_usual_numbers(box: str, tmp_path: Path) -> None:
    font = (
        f"<< /Type /Font /Subtype /Type3 /FontBBox [{box}] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << >> "
        "/Encoding << /Type /Encoding /Differences [32 /space /a] >> /FirstChar 32 /LastChar 122 "
        f"/Widths [250 {'500 ' * 90}] /Resources << >> >>"
    )
    made = re.sub(rb"<< /Type /Font /Subtype /Type1[^>]*>>", lambda _: font.encode(), Pdf(pages=[_PAGE]).made())
    assert _read(tmp_path, made).pages[0].text == _STORY


def test_verse_keeps_its_lines_and_prose_does_not(tmp_path: Path) -> None:
    verse = [
        Shown(line, x=LEFT + 60, y=TOP - 150 - LEADING * at)
        for at, line in enumerate(["The sea", "is grey and cold and wide", "and mud"])
    ]
    page = _read(tmp_path, Pdf(pages=[[*_PAGE, *verse]])).pages[0]
    assert page.text == f"{_STORY}\n\nThe sea\nis grey and cold and wide\nand mud"


@pytest.mark.parametrize("place", [1, 0, 6], ids=["before its word", "before the heading", "after all"])
def test_a_large_initial_belongs_to_its_word(place: int, tmp_path: Path) -> None:
    lines = [
        Shown("Chapter 1", y=TOP + 40, size=14),
        Shown("he tide had gone out and left the boats on the mud of the town", x=LEFT + 20),
        Shown("1954 was the year, and nobody walked there whom anybody knew;", x=LEFT + 20, y=TOP - LEADING),
        *(
            Shown("and there was nobody to count them but old Tasker and his dog.", y=TOP - n * LEADING)
            for n in (2, 3, 4)
        ),
    ]
    shown = [*lines[:place], Shown("T", y=TOP - LEADING, size=30), *lines[place:]]
    text = _read(tmp_path, Pdf(pages=[shown])).pages[0].text
    assert text.startswith("Chapter 1\n\nThe tide had gone out and left the boats on the mud of the town 1954 was")
    assert text.endswith("his dog.")


@pytest.mark.parametrize(
    ("outline", "chapters"),
    [
        ([(0, "One", 0), (0, "Two", 2)], [("One", 1, 2), ("Two", 3, 5)]),
        (
            [(0, "Part I", 0), (1, "Chapter 1", 1), (1, "Chapter 2", 2), (0, "Part II", 3), (1, "Chapter 3", 4)],
            [("Chapter 1", 2, 2), ("Chapter 2", 3, 3), ("Chapter 3", 5, 5)],
        ),
        ([(0, "Chapter 1", 0), (1, "A scene", 1), (0, "Chapter 2", 2)], [("Chapter 1", 1, 2), ("Chapter 2", 3, 5)]),
        ([(0, "Cover", 0), (0, "One", 1), (0, "Two", 3), (0, "Index", 4)], [("One", 2, 3), ("Two", 4, 4)]),
    ],
    ids=["flat", "parts", "sections", "front and back"],
)
def test_the_outline_names_the_chapters(
    outline: list[tuple[int, str, int]], chapters: list[tuple[str, int, int]], tmp_path: Path
) -> None:
    book = _read(tmp_path, Pdf(pages=[_PAGE] * 5, outline=outline))
    assert [(one.title, one.first_page, one.last_page) for one in book.chapters] == chapters


def test_front_and_back_matter_are_separated_from_the_story(tmp_path: Path) -> None:
    outline = [(0, "Preface", 0), (0, "Chapter 1", 1), (0, "Chapter 2", 2), (0, "Notes", 4)]
    book = _read(tmp_path, Pdf(pages=[_PAGE] * 5, outline=outline))
    assert (book.first_story_page, book.last_story_page) == (2, 4)
    assert [(one.number, one.title) for one in book.chapters] == [(1, "Chapter 1"), (2, "Chapter 2")]


def test_an_encrypted_file_with_an_empty_password_is_read(tmp_path: Path) -> None:
    assert _read(tmp_path, encrypted(Pdf(pages=[_PAGE]).made(), "")).pages[0].text == _STORY
