"""A draft is cut into sentences as they stand there; nothing of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.guard.draft import draft_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He did (p. 1). She ran.", ["He did (p. 1).", "She ran."]),
        ("He did. (p. 12) She ran.", ["He did. (p. 12)", "She ran."]),
        ('He said "no." (pp. 3-4). Then Mr. Hall left.', ['He said "no." (pp. 3-4).', "Then Mr. Hall left."]),
        ("It chills me. You see?", ["It chills me.", "You see?"]),
        ("Two things:\n- one (p. 3)\n- two.", ["Two things:", "- one (p. 3)", "- two."]),
        ("1. First\n2. Second, then.", ["1. First", "2. Second, then."]),
        ("## Who\nA keeper. He kept\nclocks.", ["## Who", "A keeper.", "He kept\nclocks."]),
        ("**Bold.** ok", ["**Bold.**", "ok"]),
        ("---", []),
        ("", []),
    ],
)
def test_a_draft_is_cut(text: str, sentences: list[str]) -> None:
    assert [each.text for each in draft_sentences(text)] == sentences


@given(st.text(alphabet='abc AB.!?"()\n-*12p', max_size=80))
def test_nothing_of_a_draft_is_lost(text: str) -> None:
    found = draft_sentences(text)
    assert not found or "".join(each.whole for each in found) == text
