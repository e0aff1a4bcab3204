"""The line of a book in a message: between marks or amid talk, with slips, and never what nobody wrote down."""

import pytest

from core.language.phrases import FoldedText
from core.language.shared_lines import shared_line

_BOOK = (
    "Fifteen men on the dead man's chest, sang the old seaman. He had taken me aside one day and promised me a silver "
    "four-\npenny on the first of every month if I would only keep my weather-eye open for a seafaring man with one "
    "leg. The doctor laughed.\fPieces of eight! cried the parrot, and nobody in the house slept any more that night."
)


def _line(said: str) -> str | None:
    hit = shared_line(FoldedText(_BOOK), said)
    return None if hit is None else " ".join(_BOOK[hit.start : hit.end].split())


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("“Fifteen men on the dead man’s chest”, I can't get it out of my head", "Fifteen men on the dead man's chest"),
        (
            "remember how he promised me a silver fourpenny on the first of every month, what a miser",
            "promised me a silver four- penny on the first of every month",
        ),
        (
            "so: He had taken me asside one day and had promised me silver fourpenny. and then?",
            "He had taken me aside one day and promised me a silver four- penny",
        ),
        ("> Pieces of eight! cried the parrot\nmy favourite", "Pieces of eight! cried the parrot"),
        ("pieces of eight cried the parrot", "Pieces of eight! cried the parrot"),
        (
            '"the doctor laughed" and "keep my weather-eye open for a seafaring man"',
            "keep my weather-eye open for a seafaring man",
        ),
        ("one leg. The doctor laughed. Pieces of eight! cried", "one leg. The doctor laughed. Pieces of eight! cried"),
        ("the parrot", None),
        ("I think the doctor will go to the island with the old seaman and all his men in the end", None),
        ("", None),
        ("🎉 **", None),
    ],
)
def test_the_longest_line_that_both_have(said: str, line: str | None) -> None:
    assert _line(said) == line
