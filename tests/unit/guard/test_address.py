"""Where somebody is spoken to by name; where they are spoken of, the name stays."""

import pytest

from core.guard.courtesies import without_address


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("You are welcome, Ana.", "You are welcome."),
        ("Hi Ben, good to have you!", "Hi, good to have you!"),
        ("Ana, I think so.", "I think so."),
        ("I would not, Ana: he is.", "I would not: he is."),
        ("So. Ana, wait. Thank you Ben!", "So. wait. Thank you!"),
        ("Ana is right, and so is what Ben means.", "Ana is right, and so is what Ben means."),
        ("He met Cleo, Ana, at dawn.", "He met Cleo, at dawn."),
        ("Anabel, come.", "Anabel, come."),
    ],
)
def test_the_names_of_those_spoken_to_are_taken_out(text: str, rest: str) -> None:
    assert without_address(text, ["Ana", "Ben"]) == rest


def test_without_names_nothing_is_taken_out() -> None:
    assert without_address("You are welcome, Ana.", []) == "You are welcome, Ana."
    assert without_address("You are welcome, Ana.", [""]) == "You are welcome, Ana."
