"""Answers are cut where a reader would cut them, and no mark is left open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.split import split_message

_PARAGRAPH = "The tide had gone out. The boats lay on the mud. Nobody spoke of the weighbridge."


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        (f"{_PARAGRAPH}\n\n{_PARAGRAPH}", 100, [_PARAGRAPH, _PARAGRAPH]),
        (_PARAGRAPH, 70, ["The tide had gone out. The boats lay on the mud.", "Nobody spoke of the weighbridge."]),
        (
            "seven words " * 8,
            64,
            ["seven words seven words seven words seven words seven words", "seven words seven words seven words"],
        ),
        ("x" * 150, 64, ["x" * 64, "x" * 64, "x" * 22]),
    ],
)
def test_cuts_fall_between_paragraphs_then_sentences_then_words(text: str, limit: int, parts: list[str]) -> None:
    assert split_message(text, limit=limit) == parts


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("In Python `a || b` is none. " + "seven words " * 8, ""),
        ("`` a || b ` `` " + "seven words " * 8, ""),
        ("```\na || b\n```\n" + "seven words " * 8, ""),
        (r"No mark: \|| here. " + "seven words " * 8, ""),
        ("A lone ` and ||" + "hidden words " * 8 + "||", "||"),
        ("Behind a word ```" + "lines of code " * 8 + "```", "\n```"),
        ("A fence ```py\nx || y\n" + "lines of code " * 8 + "```", "\n```"),
        ("||```\n" + "hidden code " * 8 + "\n```||", "\n```||"),
    ],
)
def test_what_a_cut_leaves_open_is_closed_and_what_is_no_mark_is_not(text: str, closing: str) -> None:
    first, second, *_ = split_message(text, limit=80)
    assert first.endswith(closing)
    assert second.startswith("||") is ("||" in closing)


@given(st.text(alphabet=st.sampled_from("ab .\n|`~”é漢"), max_size=400), st.integers(64, 120))
def test_every_part_fits_and_no_letter_is_lost(text: str, limit: int) -> None:
    parts = split_message(text, limit=limit)
    assert all(0 < len(part) <= limit for part in parts)
    letters = [char for char in text if char in "abé漢"]
    assert [char for part in parts for char in part if char in "abé漢"] == letters
