"""A book's words as arrays: looked up as in a dict, compact, and the read part is always a prefix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.retrieval.book_words import BookWords, index_words
from adapters.retrieval.read_words import ReadWords, read_words
from core.language.packed_words import PackedWords
from core.ports.books import StoredChunk


@given(given_words=st.lists(st.text(max_size=12), unique=True), other=st.text(max_size=12))
def test_every_word_has_its_number_and_no_other_word_has_one(given_words: list[str], other: str) -> None:
    packed = PackedWords.of(given_words)
    assert list(packed) == given_words
    assert [packed.number_of(word) for word in given_words] == list(range(len(given_words)))
    assert (packed.number_of(other) is not None) == (other in given_words)


def _book(*texts: str) -> BookWords:
    return index_words(
        [StoredChunk(chunk_id=n, start_page=n, end_page=n, text=text) for n, text in enumerate(texts, 1)], None
    )


def _read(book: BookWords, last_page: int) -> ReadWords:
    read = read_words(book, last_page)
    assert read is not None
    return read


def _counts(book: BookWords, word: str, *, last_page: int) -> list[float]:
    """Return how often a word occurs in each readable chunk."""
    read = _read(book, last_page)
    of_word = np.zeros(len(book.words) + 1)
    if (number := book.words.number_of(word)) is not None:
        of_word[number] = 1
    return [float(count) for count in np.add.reduceat(read.by_block(of_word), read.chunk_blocks)]


@pytest.mark.parametrize(("words", "stored"), [(65_535, np.uint16), (65_536, np.int32)])
def test_a_vocabulary_of_any_size_is_counted_right(words: int, stored: type[np.generic]) -> None:
    every = [f"w{number}x" for number in range(words)]
    book = _book(" ".join(every), f"{every[-1]} {every[-1]}", every[0])
    assert book.grid.dtype == stored
    assert _counts(book, every[-1], last_page=3) == [1, 2, 0]
    assert _counts(book, every[0], last_page=3) == [1, 0, 1]
    assert _counts(book, every[0], last_page=2) == [1, 0]
    assert _counts(book, "nowhere", last_page=3) == [0, 0, 0]


def test_unread_words_are_not_counted() -> None:
    book = _book("a lamp and a lock", "a lamp", "a lamp, a lamp, a clock")
    read = _read(book, 2)
    stem = book.stems.number_of("lamp")
    assert stem is not None
    assert (read.pages, read.chunks, read.found_on[stem], read.occurrences[stem]) == (2, 2, 2, 2)
    assert list(book.words[: read.words]) == ["a", "lamp", "and", "lock"]
    assert read_words(book, 0) is None


@pytest.mark.parametrize(
    ("ends", "answers"),
    [
        ("The judge looked up. “What is your name?”", True),
        ("“What is your name?” asked the judge.", True),
        ('"And your name?" said the judge, and waited.', True),
        ("‘Your name?’", True),
        (
            "“What is your name?” asked the judge. He waited for as long as a sermon of a Sunday in Lent does.",
            False,
        ),
        ("Her name was what he wanted.", False),
        ("", False),
    ],
)
def test_the_line_that_answers_a_question_in_dialogue_belongs_to_it(ends: str, answers: bool) -> None:
    book = _book(f"It rained. {ends}", "“Hester Vane,” she said.", "The name stood in a book.")
    assert _counts(book, "name", last_page=3)[1:] == [1.0 if answers else 0.0, 1.0]
    assert book.running_starts[2] - book.running_starts[1] == 4
