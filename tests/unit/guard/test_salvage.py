"""What is left of a draft when sentences fall: it must read by itself."""

from collections.abc import Collection

import pytest

from core.guard.draft import draft_sentences, falling_with, without


def _left(text: str, fallen: Collection[int], leaning: dict[int, int] | None = None) -> str:
    draft = draft_sentences(text)
    leans_on = [{leaning[at]} if leaning and at in leaning else () for at in range(len(draft))]
    return without(draft, falling_with(draft, fallen, leans_on))


def test_what_leans_on_a_fallen_sentence_falls_and_what_leans_on_that_too() -> None:
    text = "Ada ran (p. 1). Somebody sobbed. But nobody knew why. Whose sob was it? The keeper slept (p. 2)."
    assert _left(text, {1}, {2: 1, 3: 2}) == "Ada ran (p. 1). The keeper slept (p. 2)."
    assert _left(text, {4}, {2: 1, 3: 2}) == "Ada ran (p. 1). Somebody sobbed. But nobody knew why. Whose sob was it?"
    assert _left("Two reasons. Ada ran. Ben drowns.", {2}, {0: 2}) == "Ada ran."
    assert _left("He ran. She ran.", {0}, {1: 1}) == "She ran."


@pytest.mark.parametrize(
    ("text", "fallen", "left"),
    [
        ("- Ada ran.\n- Ben drowns.\n- Fenn slept.", {1}, "- Ada ran.\n- Fenn slept."),
        ("Thus:\n\n- Ada ran.\n- Ben drowns.\n\nAnd Fenn?", {2}, "Thus:\n\n- Ada ran.\n\nAnd Fenn?"),
        ("Thus:\n\n- Ben drowns.\n- Ada ran.", {1}, "Thus:\n\n- Ada ran."),
        ("Thus:\n1. Ada ran.\n2. Ben drowns.\n3. Fenn slept.", {2}, "Thus:\n1. Ada ran.\n2. Fenn slept."),
        ("1. Ada ran.\n2. Ben drowns.\n\n1. Fenn slept.", {1}, "1. Ada ran.\n\n1. Fenn slept."),
        ("- Ben drowns. It was cold.\n- Ada ran. It was warm.", {0, 3}, "- Ada ran."),
        ("Thus:\n- Ben drowns. It was cold.\n- Ben comes back.\n\nAda ran.", {1, 3}, "Ada ran."),
        ("Ada ran. He says so:\n\nBen drowns.\n\nFenn slept.", {2}, "Ada ran.\n\nFenn slept."),
        ("## Ada\nShe ran.\n\n## Ben\nHe drowns. He did.", {3, 4}, "## Ada\nShe ran."),
        ("**Ben**\n\nHe drowns.\n\n**Ada**\n\nShe ran.", {1}, "**Ada**\n\nShe ran."),
        ("**Ada** (p. 1). Ben drowns.", {1}, "**Ada** (p. 1)."),
        ("A.\n\nBen drowns. It was cold.\n\nSo. Ben drowns.\n\nEnd.", {1, 4}, "A.\n\nIt was cold.\n\nSo.\n\nEnd."),
        ("Ben drowns.", {0}, ""),
        ("Here is what I have:", set(), "Here is what I have:"),
    ],
)  # fmt: skip
def test_no_list_has_an_empty_item_and_no_heading_is_left_alone(text: str, fallen: set[int], left: str) -> None:
    assert _left(text, fallen) == left
