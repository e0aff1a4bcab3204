"""Pages are found by a few of their words, in whatever edition."""

import pytest

from core.domain.book import Page
from core.language.anchors import AnchoredPages
from tests.builders import STORY, a_book_text

_PAGES = a_book_text().pages


@pytest.fixture(scope="module")
def story() -> AnchoredPages:
    return AnchoredPages(_PAGES)


@pytest.mark.parametrize(
    ("anchor", "pages"),
    [
        ("kept seven clocks. None of", [2]),
        ("KEPT  SEVEN\nCLÓCKS", [2]),
        ("hid the ledgre under teh coal", [3]),
        ("the open window. They found", []),
        ("seven", []),
        ("", []),
        ("Nothing of this stands here at all", []),
    ],
)
def test_an_anchor_finds_its_page(story: AnchoredPages, anchor: str, pages: list[int]) -> None:
    assert story.pages_of(anchor) == pages


def test_an_anchor_may_stand_in_several_places() -> None:
    twice = AnchoredPages(a_book_text([STORY[0], STORY[1], STORY[0]]).pages)
    assert twice.pages_of("left Marrow Quay at dawn") == [1, 3]
    assert twice.anchor_of(_PAGES[0]) is None


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.number))
def test_every_page_has_an_anchor_of_its_last_words(story: AnchoredPages, page: Page) -> None:

    anchor = story.anchor_of(page)
    assert anchor is not None
    assert page.text.endswith(anchor)
    assert story.pages_of(anchor) == [page.number]
