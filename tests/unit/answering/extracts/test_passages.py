"""The running passage that a question is answered with: verbatim, at most 150 words, from sentence to sentence."""

import pytest

from core.answering.extracts.passages import best_passages
from core.answering.extracts.read_text import ReadText
from core.domain.book import Page
from core.guard.draft import MOST_WORDS
from tests.builders import STORY

_LONG = " ".join(f"On day {day} the keeper counted his gulls and wrote the number down." for day in range(40))


def _read(*pages: str) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(pages, start=1)])


def _passage(question: str, *pages: str, page: int = 1) -> str:
    [passage, *_] = best_passages(question, _read(*pages), [(page, 1.0)], most=1)
    return " ".join(passage.paragraphs)


def test_it_holds_at_most_150_words_of_whole_sentences_around_the_best_place() -> None:
    text = _passage("Who broke the brass lamp?", f"{_LONG} Tobias broke the brass lamp in anger. {_LONG}")
    assert len(text.split()) <= MOST_WORDS
    assert "Tobias broke the brass lamp in anger." in text
    assert text.endswith(".")
    assert text[0].isupper()


def test_it_goes_over_a_page_and_puts_a_broken_sentence_together() -> None:
    text = _passage("Where was the lamp hidden?", "The lamp was hidden under", "the coal in the cellar. Nobody looked.")
    assert text == "The lamp was hidden under the coal in the cellar. Nobody looked."


def test_what_the_last_page_breaks_off_is_left_out() -> None:
    assert _passage("Where is the lamp?", "The lamp is in the hall. They took it and") == "The lamp is in the hall."


def test_the_next_one_shares_little_with_the_one_before() -> None:
    read = _read(f"The lamp was lit. {_LONG}", f"Someone broke the lamp. {_LONG}")
    first, second = best_passages("Who broke the lamp?", read, [(2, 0.6), (1, 0.4)], most=2)
    assert not first.overlaps(second)
    assert "broke the lamp" in " ".join(first.paragraphs)


def test_nothing_fits_what_never_stands_there() -> None:
    assert best_passages("kangaroo?", _read(*STORY), [(1, 1.0)], most=1) == []


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_a_sentence_that_goes_on_over_three_pages_is_quoted_from_any_of_them(page: int) -> None:
    read = _read("The lamp", "of the", "old", "lighthouse went out!")
    found = best_passages("lamp lighthouse", read, [(page, 1.0)], most=3)
    assert all(passage.sentences for passage in found)
