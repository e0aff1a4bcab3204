"""What a question quotes is found where it stands on the read pages, and nowhere else."""

import pytest

from core.answering.extracts.named_parts import passage_with_quoted
from core.answering.extracts.read_text import ReadText
from core.domain.book import Page

_PAGES = (
    "It was late. “Call me Ishmael,” he said. Some years ago,\nnever mind how long, I went to sea.",
    "The storm broke the window. “I don’t know,” said Ines. “Nobody does.”",
    "Ines rowed out to the wreck and never came back.",
)


def _read(position: int = 2) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(_PAGES[:position], start=1)])


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("who says “Call me Ishmael”?", "“Call me Ishmael,” he said."),
        ('who said "call me ishmael."', "“Call me Ishmael,” he said."),
        ("what is «ago, never mind how» about?", "Some years ago, never mind how long, I went to sea."),
        ("Who said “don't know, said Ines. Nobody”?", "“I don’t know,” said Ines."),
    ],
)
def test_it_is_shown_with_what_stands_around_it(question: str, shown: str) -> None:
    passage = passage_with_quoted(question, _read())
    assert passage is not None
    assert shown in [each.text for each in passage.sentences]
    assert passage.sentences[0].text in {"It was late.", "The storm broke the window.", "“Call me Ishmael,” he said."}


@pytest.mark.parametrize(
    "question",
    [
        "who says Call me Ishmael?",
        "who said “never came back”?",
        "who said “never in this book at all”?",
        "who said “Ishmael”?",
        "“”",
    ],
)
def test_what_is_not_read_or_not_quoted_is_not(question: str) -> None:
    assert passage_with_quoted(question, _read()) is None


def test_it_is_found_once_it_is_read() -> None:
    assert passage_with_quoted("who said “never came back”?", _read(3)) is not None
