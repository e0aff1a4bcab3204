"""Numbers are read alike wherever they stand, and nothing that only resembles one is."""

import pytest

from core.domain.numbers import LeadingNumber, leading_number, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("１２", 12),
        ("3rd", 3),
        ("XLIX", 49),
        ("IIII", 4),
        ("twenty-two", 22),
        ("The Third", 3),
        ("the\tthird", 3),
        ("TWO HUNDRED AND NINETY-NINTH", 299),
        ("one  hundred", 100),
        *[(text, None) for text in ("", "the", "last", "vx", "iiiii", "one two", "1.5", "²", "9" * 65)],
        *[(text, None) for text in ("ı", "İ", "Iİ", "ıv", "ⅰ\u0307")],
    ],
)
def test_a_number_is_read_in_every_writing(text: str, number: int | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "number", "behind"),
    [
        ("Twenty-Two: The Sea", 22, ": The Sea"),
        ("the Third", 3, ""),
        ("I In which he runs", 1, " In which he runs"),
        ("One Hundred and One Nights", 101, " Nights"),
        ("One Two Three", 1, " Two Three"),
        ("4-Home", 4, "-Home"),
        ("IV_", 4, "_"),
    ],
)
def test_the_longest_number_at_the_beginning_counts(text: str, number: int, behind: str) -> None:
    assert leading_number(text) == LeadingNumber(value=number, end=len(text) - len(behind))
