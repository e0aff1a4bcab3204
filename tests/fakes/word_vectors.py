"""Word vectors of letters: words that share letters are alike."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports.vectors import Vectors
from core.ports.word_vectors import WordVectors

_PIECES = 64
_DIMENSIONS = 16


class LetterWordVectors(WordVectors):
    """A word is made of its letters; each letter has one made-up vector."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        return [[ord(letter) % _PIECES for letter in word] or [0] for word in words]

    def rows(self, pieces: Sequence[int] | NDArray[np.integer[Any]]) -> Vectors:
        rows = [hashlib.sha256(str(row).encode()).digest()[:_DIMENSIONS] for row in pieces]
        return np.asarray([[byte - 127.5 for byte in row] for row in rows], dtype=np.float32)
