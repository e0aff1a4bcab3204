"""What is left of a draft when sentences fall: it must read by itself, and still answer."""

import pytest

from core.guard.draft import draft_sentences, falling_with, without

_ADA = "Ada carried the compass (p. 1)."
_BAD = "Ben drowns in the end."


@pytest.mark.parametrize(
    "behind",
    [
        "The keeper kept seven clocks (p. 2).",
        "Marvel, bless him, would rather talk of boots.",
        "What do the rest of you think?",
        "The keeper wound his clocks (p. 2).",
        "In the lamp room Fenn wound his clocks (p. 2).",
    ],
)
def test_what_stands_alone_stays(behind: str) -> None:
    draft = draft_sentences(f"{_ADA} {_BAD} {behind}")
    assert falling_with(draft, {1}) == {1}
    assert without(f"{_ADA} {_BAD} {behind}", draft, {1}) == f"{_ADA} {behind}"


@pytest.mark.parametrize(
    "behind",
    [
        "He had it coming (p. 2).",
        "But the keeper kept seven clocks (p. 2).",
        "Therefore nobody went there (p. 2).",
        "On the other hand, the keeper kept clocks (p. 2).",
        "The moment he comes in, all is quiet (p. 2).",
        "With patience he simply waits (p. 2).",
        "The keeper kept seven clocks, though (p. 2).",
        "That's what the keeper told the inspector (p. 2).",
        "Not by the keeper's account.",
        "Quite so.",
    ],
)
def test_what_hangs_on_a_fallen_sentence_does_not_stand(behind: str) -> None:
    text = f"{_ADA} {_BAD} {behind}"
    assert falling_with(draft_sentences(text), {1}) == {1, 2}


@pytest.mark.parametrize(
    ("text", "fallen"),
    [
        ("There are two reasons. Ben drowns. The keeper kept clocks (p. 2).", {1}),
        ("It was like this: \n\nBen drowns.", {1}),
        ("On the one hand, Ada ran. On the other, Ben drowns.", {1}),
    ],
)
def test_what_announces_something_that_fell_does_not_stand(text: str, fallen: set[int]) -> None:
    assert falling_with(draft_sentences(text), fallen) > fallen


def test_paragraphs_stay_where_sentences_fall() -> None:
    text = f"{_ADA}\n\n{_BAD} The keeper kept clocks.\n\nFenn slept. {_BAD}\n\nDone it is."
    draft = draft_sentences(text)
    fallen = {at for at, each in enumerate(draft) if each.text == _BAD}
    assert without(text, draft, fallen) == f"{_ADA}\n\nThe keeper kept clocks.\n\nFenn slept.\n\nDone it is."
