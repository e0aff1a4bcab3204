"""What somebody says to the bot without a command may be how far they have read."""

import pytest

from core.understanding.position_forms import is_of_one, names_place

PLACES = [
    "page 30", "p.30", "30", "I'm on page 30", "we're on ch 3", "ch 3 done", "halfway through ch 3", "45%", "undo",
    "end of chapter three", "we've finished chapter 3!", "so I'm at p. 12 now", "Page 30, please", "halfway",
]  # fmt: skip
TALK = [
    "What's on page 30?", "I love page 30", "chapter 3 is great", "who is on page 3", "done", "the end", "start",
    "30 people came", "see you at 7", "nothing yet", "finished", "",
]  # fmt: skip


@pytest.mark.parametrize("text", PLACES)
def test_a_place_needs_no_command(text: str) -> None:
    assert names_place(text)


@pytest.mark.parametrize("text", TALK)
def test_other_talk_moves_no_page(text: str) -> None:
    assert not names_place(text)


def test_who_speaks_of_themselves() -> None:
    said = ("I'm on page 30", "so I’ve finished ch 3", "we're on page 30", "page 30")
    assert [is_of_one(text) for text in said] == [True, True, False, False]
