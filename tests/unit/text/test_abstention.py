"""What only says that nothing can be said, and what answers."""

import pytest

from core.text.abstention import abstains

_QUESTION = "Who killed Prewett at the weighbridge?"


@pytest.mark.parametrize(
    "sentence",
    [
        "I can't say anything about that from the pages read so far.",
        "I cannot say anything about that from the pages read so far.",
        "The pages read so far do not say.",
        "The pages we've read don’t say who killed Prewett.",
        "Sorry, I don't know that yet.",
        "I'm afraid the passages do not mention it.",
        "The book has not told us yet.",
        "Nothing in the pages read so far says who killed Prewett.",
        "From the pages read so far, I can't tell.",
        "So far the text doesn't explain that.",
    ],
)
def test_it_abstains(sentence: str) -> None:
    assert abstains(sentence, _QUESTION)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Prewett was not killed at the weighbridge.",
        "Nobody knows who killed Prewett.",
        "No, Prewett did not say.",
        "The pages do not say that Hallam did it.",
        "I can't say anything about that, for it comes in the last chapter, when Rudd confesses.",
        "The story does not say it, but Blades tells her brother.",
        "I don't know, but Enid does.",
        "Hallam can't say.",
        "You are welcome!",
    ],
)
def test_it_answers(sentence: str) -> None:
    assert not abstains(sentence, _QUESTION)
