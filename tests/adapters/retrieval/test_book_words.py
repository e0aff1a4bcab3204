"""Words in one string are found like words in a dict, and a book's numbers are stored as short as they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.retrieval.book_words import PackedWords, index_words
from core.ports.books import StoredChunk


@given(words=st.sets(st.text(max_size=12)), other=st.text(max_size=12))
def test_every_word_has_its_number_and_no_other_word_has_one(words: set[str], other: str) -> None:
    packed = PackedWords(words)
    assert list(packed) == sorted(words)
    assert {packed.number_of(word) for word in words} == set(range(len(words)))
    assert all(packed[packed.number_of(word) or 0] == word for word in words)
    assert (packed.number_of(other) is not None) == (other in words)


def test_packed_words_are_a_sequence() -> None:
    packed = PackedWords(["pump", "lamp"])
    assert packed[:1] == ["lamp"]
    with pytest.raises(IndexError):
        packed[2]


def _book(*texts: str) -> list[StoredChunk]:
    return [StoredChunk(chunk_id=n, start_page=n, end_page=n, text=text) for n, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(("words", "stored"), [(65_536, np.uint16), (65_537, np.int32)])
def test_a_vocabulary_of_any_size_is_counted_right(words: int, stored: type[np.generic]) -> None:
    every = [f"w{number}x" for number in range(words)]
    book = index_words(_book(" ".join(every), f"{every[-1]} {every[-1]}", every[0]), None)
    assert book.token_word.dtype == stored
    assert book.counts(every[-1], chunks=3).tolist() == [1, 2, 0]
    assert book.counts(every[0], chunks=3).tolist() == [1, 0, 1]
    assert book.counts(every[0], chunks=2).tolist() == [1, 0]
    assert book.counts("nowhere", chunks=3).tolist() == [0, 0, 0]
    assert book.token_chunks(3).tolist() == [0] * words + [1, 1, 2]
