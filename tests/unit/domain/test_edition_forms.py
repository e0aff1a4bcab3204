"""What may be typed after `/edition`, and a page of one's copy before the words of `/calibrate`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.edition_forms import ChapterStart, EditionRequest, parse_edition, split_copy_page
from core.domain.errors import PositionError

_FIFTH = (ChapterStart(chapter=5, page=81),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *[(t, EditionRequest(last_page=312)) for t in ("312", " 312 pages", "312 pp.", "３１２")],
        *[
            (t, EditionRequest(last_page=312, first_page=7))
            for t in ("312 first 7", "312, first 7", "312 pages, from p. 7", "312 FIRST page 7", "312; begins on 7")
        ],
        ("first 7", EditionRequest(first_page=7)),
        *[
            (t, EditionRequest(chapters=_FIFTH))
            for t in ("ch 5 at 81", "ch 5 81", "chapter five at p. 81", "Ch. V: 81", "ch5 = 81", "chapter 5 is page 81")
        ],
        (
            "312 first 7 ch 5 at 81, ch twenty-two at 260",
            EditionRequest(last_page=312, first_page=7, chapters=(*_FIFTH, ChapterStart(chapter=22, page=260))),
        ),
        ("club 312 first 7", EditionRequest(for_club=True, last_page=312, first_page=7)),
        ("club", EditionRequest(for_club=True)),
        *[(t, EditionRequest(forgets=True)) for t in ("reset", "None", "forget")],
        ("club reset", EditionRequest(for_club=True, forgets=True)),
        *[(t, EditionRequest()) for t in ("", "  ", "show")],
    ],
)
def test_each_form_is_read(text: str, said: EditionRequest) -> None:
    assert parse_edition(text) == said
    assert said.asks is (said in {EditionRequest(), EditionRequest(for_club=True)})


NO_FORMS = [
    "x",
    "-5",
    "312x",
    "312 firs 7",
    "first",
    "ch 5",
    "ch 581",
    "ch at 81",
    "ch last at 5",
    "clubs 312",
    "312 7",
]


@pytest.mark.parametrize("text", [*NO_FORMS, "ch 5 at 81 and the butler did it", "9" * 400, "ch 5 at " * 100])
def test_anything_else_is_refused_in_a_sentence_that_shows_the_forms(text: str) -> None:
    with pytest.raises(PositionError) as refused:
        parse_edition(text)
    assert str(refused.value) == (
        "I don't understand that about a copy. Use `/edition` with 312, 312 first 7, ch 5 at 81, or reset."
    )


@given(st.text() | st.text("0123456789 chfirstclub:=,", max_size=30))
def test_parsing_raises_nothing_but_position_errors(text: str) -> None:
    try:
        parse_edition(text)
    except PositionError as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017


@pytest.mark.parametrize(
    ("text", "page", "words"),
    [
        ("p. 81: and the rain", 81, "and the rain"),
        ("page 81 “and the rain”", 81, "“and the rain”"),
        ("(p. 81) and the rain", 81, "and the rain"),
        ("My p81 — and the rain", 81, "and the rain"),
        ("and the rain", None, "and the rain"),
        ("81 men went to mow", None, "81 men went to mow"),
        ("on page 81 he wrote", None, "on page 81 he wrote"),
        ("p. 81", None, "p. 81"),
        ("", None, ""),
    ],
)
def test_a_page_before_the_words_is_one_of_ones_copy(text: str, page: int | None, words: str) -> None:
    assert split_copy_page(text) == (page, words)
