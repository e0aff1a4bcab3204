"""Computes similarity between a question's words and a book's, singly and together, from static vectors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from core.language.book_memory import MEGABYTE, BookMemory, Held
from core.language.packed_words import PackedWords
from core.ports.vectors import Vectors
from core.ports.word_vectors import WordVectors

Ints = NDArray[np.int32]
Cosines = NDArray[np.float32]
Themes = NDArray[np.float32]

_TINY: Final = np.float32(1e-6)
_WORDS_AT_ONCE: Final = 2_000
_MOST_COSINES: Final = 24 * MEGABYTE
_MOST_ROWS: Final = 16 * MEGABYTE
"""The vectors of one long novel, and of its reading notes."""
_KNOWN_WORDS: Final = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """The pieces of each distinct word of a book, and the length of the word's vector.

    `distinct` are the table rows that the book needs, `pieces` index into those.
    """

    distinct: Ints
    pieces: Ints
    starts: Ints
    lengths: NDArray[np.float32]


class _OfWord:
    """The cosines to one word, the only data that use memory of their own."""

    __slots__ = ("cosines", "meanings", "nbytes")

    def __init__(self, meanings: Meanings, cosines: Cosines) -> None:
        self.meanings = meanings
        self.cosines = cosines
        self.nbytes = cosines.nbytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pieces:
    """The vectors of a book's pieces in a row, and the divisor of each word's sum."""

    meanings: Meanings
    rows: Vectors
    divisors: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """The bytes used in addition to the book."""
        return self.rows.nbytes + self.divisors.nbytes


class WordLikeness:
    """Cosines between words, the same to the last bit whatever else is in the book."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors
        self._known: LRUCache[str, list[int]] = LRUCache(maxsize=_KNOWN_WORDS)
        # The same people are asked about repeatedly. A cached entry keeps its book's meanings alive, so that an id is
        # never reused.
        self._held: Held[_OfWord] = Held("cosines", BookMemory(_MOST_COSINES))
        # Gathering them takes as long as computing a question's cosines to them.
        self._gathered: Held[_Pieces] = Held("pieces", BookMemory(_MOST_ROWS))

    def meanings(self, words: Sequence[str]) -> Meanings:
        """Return the data of a book's distinct words, at least one. Loads the vectors: not for the event loop."""
        of_words = self._vectors.pieces(words)
        starts = np.cumsum([0, *map(len, of_words)], dtype=np.int32)
        flat = np.array([piece for pieces in of_words for piece in pieces], dtype=np.int32)
        distinct, pieces = np.unique(flat, return_inverse=True)
        rows = self._vectors.rows(distinct)
        # One word at a time would be slow; all at once would hold the vectors of every piece of the vocabulary.
        lengths = [
            np.linalg.norm(_means(rows[pieces[starts[at] : starts[stop]]], starts[at : stop + 1]), axis=1)
            for at in range(0, len(words), _WORDS_AT_ONCE)
            for stop in [min(at + _WORDS_AT_ONCE, len(words))]
        ]
        return Meanings(
            distinct=distinct,
            pieces=pieces.astype(np.int32),
            starts=starts,
            lengths=np.concatenate(lengths) + _TINY,
        )

    def learn(self, words: Iterable[str], book: PackedWords, meanings: Meanings) -> None:
        """Take the pieces of these words from a book, so that they need not be tokenised again."""
        for word in words:
            number = None if word in self._known else book.number_of(word)
            if number is not None:
                pieces = meanings.pieces[meanings.starts[number] : meanings.starts[number + 1]]
                self._known[word] = meanings.distinct[pieces].tolist()

    def cosines(self, meanings: Meanings, asked: Sequence[str]) -> list[Cosines]:
        """Return for each word of a question the cosines of the book's words, ending with a 0 for padding."""
        held = {word: found.cosines for word in asked if (found := self._held.find((id(meanings), word))) is not None}
        missing = [word for word in dict.fromkeys(asked) if word not in held]
        for word, cosines in zip(missing, self._columns(meanings, missing) if missing else [], strict=True):
            self._held.keep((id(meanings), word), _OfWord(meanings, cosines))
            held[word] = cosines
        return [held[word] for word in asked]

    def _columns(self, meanings: Meanings, asked: Sequence[str]) -> list[Cosines]:
        vectors: Vectors = np.stack([self._vectors.rows(pieces).mean(axis=0) for pieces in self._pieces(asked)])
        gathered = self._pieces_of(meanings)
        # Not a BLAS product: its rounding of a row depends on the number of rows, and so on unread text; and it wakes
        # threads that cost more than the product.
        by_piece = np.einsum("pd,qd->qp", gathered.rows, vectors)
        lengths = np.linalg.norm(vectors, axis=1) + _TINY
        sums = (np.add.reduceat(dots.take(meanings.pieces), meanings.starts[:-1]) for dots in by_piece)
        return [
            np.append(of_words / gathered.divisors / length, np.float32(0))
            for of_words, length in zip(sums, lengths, strict=True)
        ]

    def _pieces_of(self, meanings: Meanings) -> _Pieces:
        found = self._gathered.find(id(meanings))
        if found is None:
            found = _Pieces(
                meanings=meanings,
                rows=self._vectors.rows(meanings.distinct),
                divisors=np.diff(meanings.starts) * meanings.lengths,
            )
            self._gathered.keep(id(meanings), found)
        return found

    def theme_of(self, words: Sequence[str]) -> Vectors:
        """Return the theme vector of a text of at least one word."""
        return theme_of(self._vectors, words)

    def is_one_piece(self, word: str) -> bool:
        """Whether a word is a single piece, as most correctly spelled words are."""
        return len(self._pieces([word])[0]) == 1

    def _pieces(self, asked: Sequence[str]) -> list[list[int]]:
        """Return the pieces of a question's words, most of which are cached."""
        missing = [word for word in asked if word not in self._known]
        if missing:
            self._known.update(zip(missing, self._vectors.pieces(missing), strict=True))
        return [self._known[word] for word in asked]


def theme_of(vectors: WordVectors, words: Sequence[str]) -> Vectors:
    """Return the sum of the vectors of at least one word, scaled to a unit vector.

    Words that say little have short vectors, so all of them count.
    """
    rows = vectors.rows([piece for pieces in vectors.pieces(words) for piece in pieces])
    return _unit(rows.sum(axis=0))


def cosines_to(themes: Themes, theme: Vectors) -> NDArray[np.float32]:
    """Return the similarity of each chunk to a question as a whole."""
    return np.asarray(np.einsum("cd,d->c", themes, theme))


def _unit(vector: Vectors) -> Vectors:
    return np.asarray(vector / (np.linalg.norm(vector) + _TINY))


def _means(rows: NDArray[np.float32], starts: Ints) -> NDArray[np.float32]:
    """Return the mean of each word's rows; every word has at least one."""
    sums = np.add.reduceat(rows, starts[:-1] - starts[0], axis=0)
    return np.asarray(sums / np.diff(starts)[:, None], dtype=np.float32)
