"""What every WordVectors does."""

import numpy as np
import pytest

from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed
from core.ports.word_vectors import WordVectors
from tests.fakes.word_vectors import LetterWordVectors

_WORDS = ["ledger", "harbour", "Ævar", "雨", "🙂", "", "\ud800", "x" * 5_000]


@pytest.fixture(params=["letters", "wordllama"], scope="module")
def vectors(request: pytest.FixtureRequest) -> WordVectors:
    if request.param == "letters":
        return LetterWordVectors()
    if not wordllama_is_installed():
        pytest.skip("wordllama has no wheels for this Python")
    return WordLlamaVectors()


def test_every_word_is_made_of_rows_of_the_table(vectors: WordVectors) -> None:
    pieces = vectors.pieces(_WORDS)
    assert len(pieces) == len(_WORDS)
    assert all(0 <= row < len(vectors.table()) for word in pieces for row in word)
    assert all(pieces)


def test_the_same_word_is_always_made_of_the_same_pieces(vectors: WordVectors) -> None:
    assert vectors.pieces(["ledger", "ledger"]) == vectors.pieces(["ledger"]) * 2


def test_the_table_is_of_finite_numbers(vectors: WordVectors) -> None:
    table = vectors.table()
    assert table.ndim == 2
    assert table.dtype == np.float32
    assert np.isfinite(table).all()


def test_no_words_have_no_pieces(vectors: WordVectors) -> None:
    assert vectors.pieces([]) == []
