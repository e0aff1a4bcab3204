"""What WordVectors does."""

import numpy as np
import pytest

from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed
from core.ports.word_vectors import WordVectors

_WORDS = ["ledger", "harbour", "Ævar", "雨", "🙂", "", "\ud800", "x" * 5_000]


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    if not wordllama_is_installed():
        pytest.skip("wordllama has no wheels for this Python")
    return WordLlamaVectors()


def test_every_word_is_made_of_rows_of_the_table(vectors: WordVectors) -> None:
    pieces = vectors.pieces(_WORDS)
    assert len(pieces) == len(_WORDS)
    assert all(len(vectors.rows(word)) == len(word) for word in pieces)
    assert all(pieces)


def test_a_row_is_the_same_whenever_and_with_whatever_it_is_asked_for(vectors: WordVectors) -> None:
    pieces = [piece for word in vectors.pieces(_WORDS) for piece in word]
    each = np.concatenate([vectors.rows([piece]) for piece in pieces])
    assert np.array_equal(each, vectors.rows(pieces))
    assert np.array_equal(each[::-1], vectors.rows(np.array(pieces[::-1], dtype=np.int32)))
    assert np.abs(each).sum(axis=1).all()
