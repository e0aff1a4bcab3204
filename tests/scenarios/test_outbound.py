"""The outbound check itself: it finds what it is for, in every disguise, and nothing else."""

import json

import pytest

from core.domain.book import Chapter
from tests.builders import STORY, a_book_text
from tests.scenarios.outbound import Unread

_BOOK = a_book_text(
    (*STORY, "It ended “quietly” there."),
    chapters=[
        Chapter(number=1, title="Chapter 1: The Ferry", first_page=1, last_page=2),
        Chapter(number=2, title="Chapter 2: The Coal", first_page=3, last_page=4),
        Chapter(number=3, title="Chapter 3: The Magistrate’s Glove", first_page=5, last_page=7),
    ],
)
_LEAK = "Tobias hid the ledger under the coal. The compass was stolen in the night."


@pytest.mark.parametrize(
    "raw",
    [
        _LEAK.encode(),
        json.dumps({"content": _LEAK}).encode(),
        json.dumps({"content": _LEAK.replace(" ", "\n")}).encode(),
        json.dumps({"arguments": json.dumps({"query": _LEAK.replace(" ", "\n")})}).encode(),
        json.dumps({_LEAK.upper(): 1}).encode(),
        "".join(f"\\u{ord(letter):04x}" for letter in _LEAK).encode(),
        b"the glove belonged to the magistrate the magistrate confessed",
    ],
    ids=["plain", "json", "lines", "json in json", "a key in capitals", "escaped letters", "across pages"],
)
def test_eight_words_of_an_unread_page_are_found(raw: bytes) -> None:
    assert Unread(_BOOK, position=2).in_bytes(raw)


@pytest.mark.parametrize("title", ["Chapter 3: The Magistrate’s Glove", "the magistrate's glove", "The Coal"])
def test_the_title_of_an_unread_chapter_is_found(title: str) -> None:
    assert Unread(_BOOK, position=2).in_bytes(json.dumps({"title": title}).encode())


@pytest.mark.parametrize("sent", ["Was it Tobias?", "Ask Fenn’s cat", '{"name": "TOBIAS"}', "tobias"])
def test_a_name_that_is_first_read_later_is_found(sent: str) -> None:
    assert Unread(_BOOK, position=1).in_bytes(json.dumps(sent).encode())
    assert Unread(_BOOK, position=2).in_bytes(json.dumps(sent).encode()) == []


def test_a_last_page_of_a_few_words_is_found() -> None:
    book = a_book_text((*STORY[:2], "It ended “quietly” there."))
    assert Unread(book, position=2).in_bytes(json.dumps("it ended “quietly” there").encode()) == [
        "it ended quietly there"
    ]


@pytest.mark.parametrize(
    ("sent", "position", "exempt"),
    [
        (" ".join(STORY[:4]), 4, ()),
        ("The Ferry, chapter 2, The Coal", 3, ()),
        ("Chapter 3 begins on page 5", 2, ()),
        ("Tobias hid the ledger under the", 2, ()),
        (_LEAK, 2, [_LEAK]),
        ("Who finds The Magistrate’s Glove?", 2, ["Who finds the magistrate's glove?"]),
        (" ".join(STORY), 7, ()),
    ],
    ids=["read pages", "read titles", "numbers", "seven words", "a quoting question", "a title asked for", "all read"],
)
def test_what_is_read_or_exempt_is_let_through(sent: str, position: int, exempt: list[str]) -> None:
    assert Unread(_BOOK, position=position).in_bytes(json.dumps(sent).encode(), exempt=exempt) == []


def test_what_a_read_page_says_too_is_no_secret() -> None:
    book = a_book_text(("So it goes and goes and goes and goes.", "So it goes and goes and goes and goes. Fire!"))
    unread = Unread(book, position=1)
    assert unread.in_bytes(b"so it goes and goes and goes and goes") == []
    assert unread.in_bytes(b"it goes and goes and goes and goes fire")
