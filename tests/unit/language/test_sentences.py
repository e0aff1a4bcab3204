"""What hangs on a true statement is taken apart from it."""

import pytest

from core.language.sentences import clauses


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Ada carried a compass in her coat.", ["Ada carried a compass in her coat."]),
        (
            "The keeper wound his clocks, and the magistrate drowned the pilot.",
            ["The keeper wound his clocks", "and the magistrate drowned the pilot."],
        ),
        (
            "I remember it like yesterday: the magistrate drowned him; nobody saw it happen.",
            ["I remember it like yesterday:", "the magistrate drowned him;", "nobody saw it happen."],
        ),
        (
            "He kept seven clocks – the magistrate did it – and wound them.",
            ["He kept seven clocks", "the magistrate did it and wound them."],
        ),
        ("Bread, and butter, and tea.", ["Bread and butter and tea."]),
        ("", []),
    ],
)
def test_a_sentence_falls_into_what_could_stand_alone(sentence: str, parts: list[str]) -> None:
    assert clauses(sentence) == parts
