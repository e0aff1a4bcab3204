"""Sources are the very sentences that an answer quotes or cites, in their surroundings."""

import pytest

from core.answering.extracts.read_text import ReadText
from core.answering.given_answers import excerpts
from core.domain.book import Page
from core.guard.citations import rests_on_book

FILLER = " ".join(f"The {word} went by without a word of it to anybody." for word in ("morning", "noon", "evening"))
READ = ReadText(
    [
        Page(number=1, text=f"{FILLER} {FILLER} {FILLER} The keeper kept seven clocks in the lamp room. They ticked."),
        Page(
            number=2, text="CHAPTER II\n\nInes rowed out to the wreck at dawn and found a silver whistle. It was cold."
        ),
        Page(number=3, text="Nobody spoke. " + "The sea was grey and " * 20 + "cold."),
    ]
)


@pytest.mark.parametrize(
    ("answer", "pages", "page", "holds"),
    [
        ("**p. 1**\n> The keeper kept seven clocks in the lamp room.", [1], 1, "kept seven clocks in the lamp room."),
        ("The keeper had seven clocks in his lamp room (p. 1).", [1, 2], 1, "kept seven clocks in the lamp room."),
        ("It was Ines who found the silver whistle at the wreck (p. 2).", [1], 2, "found a silver whistle."),
        ("The book says “found a silver whistle” there (p. 2).", [2], 2, "Ines rowed out to the wreck"),
    ],
)
def test_the_sentence_stands_in_what_is_shown(answer: str, pages: list[int], page: int, holds: str) -> None:
    (shown,) = excerpts(answer, READ, pages=pages)
    assert shown.page == page
    assert holds in shown.text
    assert len(shown.text.split()) <= 60


@pytest.mark.parametrize(
    "answer", ["I can't say.", "The magistrate drowned the pilot in March (p. 2).", "> Elsewhere."]
)
def test_what_is_not_there_is_not_shown(answer: str) -> None:
    assert excerpts(answer, READ, pages=[1, 2]) == []


def test_no_page_that_was_not_read_is_looked_at() -> None:
    assert excerpts("> It was cold. (p. 9)", READ, pages=[9]) == []


@pytest.mark.parametrize(
    ("answer", "rests"), [("> A line.", True), ("So it was (p. 3).", True), ("Hello! Ask me anything.", False)]
)
def test_an_answer_rests_on_the_book_where_it_quotes_or_cites(answer: str, rests: bool) -> None:
    assert rests_on_book(answer) is rests
