"""Where the places of one import of a book are in another."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.book import Page
from core.domain.edition import Edition, KnownPoint
from core.language.alignment import TextAlignment
from tests.builders import STORY, a_book_text

_WORDS = [f"word{number}" for number in range(300)]


def _pages(texts: list[str]) -> tuple[Page, ...]:
    return a_book_text(texts).pages


def _of_words(words: list[str], size: int) -> tuple[Page, ...]:
    return _pages([" ".join(words[start : start + size]) for start in range(0, len(words), size)])


def test_what_was_put_between_is_not_read_yet_but_may_have_been_told() -> None:
    between = [*STORY[:3], "A chapter that was missing in the old file.", *STORY[3:]]
    places = TextAlignment(_pages(list(STORY)), _pages(between)).places()
    assert places.pages_down == (0, 1, 2, 3, 5, 6, 7)
    assert places.pages_up == (0, 1, 2, 4, 5, 6, 7)


def test_known_points_of_a_copy_move_along() -> None:
    old, new = _of_words(_WORDS, 20), _of_words(["front"] * 15 + _WORDS, 30)
    places = TextAlignment(old, new).places()
    behind_word_99 = old[4].start_offset + len(old[4].text)
    moved = places.edition(Edition(last_page=312, first_page=7, points=(KnownPoint(page=80, offset=behind_word_99),)))
    assert moved is not None
    assert (moved.first_page, moved.last_page) == (7, 312)
    joined = "\f".join(page.text for page in new)
    assert joined[: moved.points[0].offset].endswith(" word99")
    assert places.edition(None) is None


@pytest.mark.parametrize("texts", [["One.", "Two."], [""], ["Quite another story, told by somebody else altogether."]])
def test_another_book_is_not_alike(texts: list[str]) -> None:
    alignment = TextAlignment(_pages(list(STORY)), _pages(texts))
    assert alignment.likeness == 0
    assert set(alignment.places().pages_down) <= {0, len(texts)}


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 40))
def test_a_position_never_takes_in_a_word_that_was_not_read(seed: int, old_size: int, new_size: int) -> None:
    chance = random.Random(seed)
    changed = [
        variant
        for word in _WORDS
        for variant in chance.choices([[word], ["other"], [], ["put", "in", word]], [30, 1, 1, 1])[0]
    ]
    old, new = _of_words(_WORDS, old_size), _of_words(changed, new_size)
    places = TextAlignment(old, new).places()
    for page in range(len(old) + 1):
        read = set(_WORDS[: page * old_size])
        down, up = places.pages_down[page], places.pages_up[page]
        assert down <= up or page == 0
        now_read = {word for each in new[:down] for word in each.text.split() if word.startswith("word")}
        may_be_told = {word for each in new[:up] for word in each.text.split()}
        assert now_read <= read
        assert read & set(changed) <= may_be_told
