"""Which questions ask who somebody is."""

import pytest

from core.text.questions import asks_who_somebody_is


@pytest.mark.parametrize(
    "question",
    [
        "Who is Hallam?",
        "who's Hallam",
        "Who’s Mrs. Hall?",
        "So who was Justine Moritz?",
        "Remind me, who are the Askes?",
    ],
)
def test_who_somebody_is(question: str) -> None:
    assert asks_who_somebody_is(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Who is it?",
        "Who killed Hallam?",
        "Who is going to marry Louisa now that the captain is free?",
        "Whose hat is it?",
        "What is Hallam?",
        "The man who is Hallam",
        "\x00🙂",
    ],
)
def test_what_asks_something_else(question: str) -> None:
    assert not asks_who_somebody_is(question)
