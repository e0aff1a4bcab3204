"""What is plainly said as a view, and what only sounds like one."""

import pytest

from core.guard.courtesies import said_as_view


@pytest.mark.parametrize(
    "sentence",
    [
        "To my mind that is somebody who sees more than she lets on.",
        "If I had to guess, I'd say she likes the dance.",
        "My guess is that it matters to the two of them.",
        "I rather like that he is in the dark.",
        "But I'd still think it was meant kindly.",
        "For me that is the best page.",
        "He looks to me more like a walking purse.",
        "From there on he sounds careful, at least to my ear.",
    ],
)
def test_it_says_that_it_is_a_view(sentence: str) -> None:
    assert said_as_view(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Pride comes before a fall, I'm afraid.",
        "I wouldn't count on that promise.",
        "I know that he comes back.",
        "She thinks that he is gone.",
        "You have a good nose, Omar.",
        "For members of the club it is a surprise.",
        "It was a view of the sea.",
    ],
)
def test_it_states_something(sentence: str) -> None:
    assert not said_as_view(sentence)
