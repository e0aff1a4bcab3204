"""Places in the text: pages and offsets, and what people see of a page."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.book import BookOutline, page_ends
from core.domain.position import page_names
from core.domain.position_meaning import resolve
from core.understanding.position_forms import parse_position
from tests.builders import a_book_text

LABELLED = BookOutline(pages=9, labels={"Cover": 1, "i": 2, "II": 3, "1": 4, "2": 5, "A-1": 8, "01": 9})


@pytest.mark.parametrize(
    ("offset", "pages", "holding"),
    [(-5, 0, 1), (0, 0, 1), (5, Fraction(1, 2), 1), (10, 1, 1), (11, 2, 2), (16, Fraction(5, 2), 3), (21, 3, 3)],
)
def test_an_offset_is_so_many_pages_read(offset: int, pages: Fraction, holding: int) -> None:
    # Pages of ten characters, none, and ten.
    outline = BookOutline(pages=3, ends=page_ends([0, 11, 12], 22))
    assert outline.ends == (10, 11, 22)
    outline = BookOutline(pages=3, ends=(10, 11, 21))
    assert outline.pages_read(offset) == pages
    assert outline.page_holding(offset) == holding


@given(st.lists(st.text(max_size=5), min_size=1, max_size=20), st.integers(0, 150))
def test_whole_pages_never_reach_beyond_their_offset(texts: list[str], offset: int) -> None:
    pages = a_book_text(texts).pages
    length = pages[-1].start_offset + len(pages[-1].text)
    outline = BookOutline(pages=len(pages), ends=page_ends([page.start_offset for page in pages], length))
    assert len("\f".join(texts)) == length == outline.end_of(len(pages))
    read = int(outline.pages_read(offset))
    assert outline.end_of(read) <= offset or read == 0
    assert read == outline.pages or outline.end_of(read + 1) > offset
    assert [int(outline.pages_read(outline.end_of(page))) for page in range(1, len(pages) + 1)] == [
        *range(1, len(pages) + 1)
    ]


@pytest.mark.parametrize(
    ("page", "name"), [(1, "[1]"), (2, "i"), (3, "ii"), (4, "1"), (5, "2"), (6, "[6]"), (8, "a-1"), (9, "[9]")]
)
def test_a_page_is_shown_by_the_label_with_which_it_can_be_named(page: int, name: str) -> None:
    assert page_names(LABELLED)(page) == name
    if not name.startswith("["):
        assert resolve(parse_position(name), LABELLED) == page


@pytest.mark.parametrize(("said", "position"), [("end", 46), ("100%", 46), ("50%", 23), ("48", 46)])
def test_pages_behind_the_story_are_nobodys_to_read(said: str, position: int) -> None:
    with_licence = BookOutline(pages=48, last_story_page=46)
    assert resolve(parse_position(said), with_licence) == position
