"""The words of one book as arrays, in the order of the book, so that what is readable is always a prefix.

Fifty books are in use at once: numbers are stored as short as they come, and words in one string.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from core.ports.books import StoredChunk
from core.ports.word_vectors import WordVectors
from core.text.words import content_words, stem_words

Ints = NDArray[np.int32]
Short = NDArray[np.uint16] | Ints
Floats = NDArray[np.float64]


class PackedWords(Sequence[str]):
    """Distinct words in alphabetical order, in a tenth of the memory of a dict."""

    __slots__ = ("_starts", "_text")

    def __init__(self, words: Iterable[str]) -> None:
        ordered = sorted(words)
        self._text = "".join(ordered)
        self._starts = _ints([0, *np.cumsum([len(word) for word in ordered], dtype=np.int64)])

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._text[self._starts[number] : self._starts[number + 1]]

    def number_of(self, word: str) -> int | None:
        """Return the word's number, None where it is not among them."""
        number = bisect_left(self, word)
        return number if number < len(self) and self[number] == word else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """Which pieces each distinct word of a book is made of, and how long its vector is.

    `distinct` are the rows of the table that the book needs at all, `pieces` are rows of those.
    """

    distinct: Ints
    pieces: Short
    starts: Ints
    norms: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookWords:
    """A token is one content word where it stands. Chunks, pages and tokens are rows from 0; `starts` have one more."""

    chunk_ids: NDArray[np.int64]
    end_pages: Ints
    chunk_starts: Ints
    page_numbers: Ints
    page_starts: Ints
    stems: PackedWords
    token_word: Short
    word_stem: Ints
    by_stem: Ints
    stem_starts: Ints
    meanings: Meanings | None

    def readable_chunks(self, last_page: int) -> int:
        """Return how many chunks, from the first, may be read."""
        return int(np.searchsorted(self.end_pages, last_page, side="right"))

    def readable_pages(self, last_page: int) -> int:
        """Return how many pages that hold any text may be read."""
        return int(np.searchsorted(self.page_numbers, last_page, side="right"))

    def token_chunks(self, chunks: int) -> Ints:
        """Return the chunk of each token of the first chunks."""
        return np.repeat(np.arange(chunks, dtype=np.int32), np.diff(self.chunk_starts[: chunks + 1]))

    def counts(self, stem: str, *, chunks: int) -> Floats:
        """Return how often a stem stands in each of the first chunks."""
        number = self.stems.number_of(stem)
        if number is None:
            return np.zeros(chunks, dtype=np.float64)
        tokens = self.by_stem[self.stem_starts[number] : self.stem_starts[number + 1]]
        upto = np.searchsorted(tokens, self.chunk_starts[: chunks + 1])
        return np.diff(upto).astype(np.float64)


def index_words(chunks: Sequence[StoredChunk], vectors: WordVectors | None) -> BookWords:
    """Index a book."""
    vocabulary: dict[str, int] = {}
    token_word = array("i")  # a list of a novel's words leaves the heap in pieces
    chunk_starts = [0]
    for chunk in chunks:
        token_word.extend(vocabulary.setdefault(word, len(vocabulary)) for word in content_words(chunk.text))
        chunk_starts.append(len(token_word))
    stem_of_word = stem_words(vocabulary)
    stems = PackedWords(set(stem_of_word))
    numbers = {stem: number for number, stem in enumerate(stems)}
    word_stem = _ints([numbers[stem] for stem in stem_of_word])
    tokens, end_pages = np.array(token_word, dtype=np.int32), _ints([chunk.end_page for chunk in chunks])
    token_stem = word_stem[tokens]
    page_numbers, page_starts = np.unique(end_pages, return_index=True)
    return BookWords(
        chunk_ids=np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64),
        end_pages=end_pages,
        chunk_starts=_ints(chunk_starts),
        page_numbers=page_numbers,
        page_starts=_ints([*page_starts, len(chunks)]),
        stems=stems,
        token_word=_short(tokens),
        word_stem=word_stem,
        by_stem=np.argsort(token_stem, kind="stable").astype(np.int32),
        stem_starts=_ints([0, *np.cumsum(np.bincount(token_stem, minlength=len(stems)))]),
        meanings=_meanings(list(vocabulary), vectors) if vectors is not None and vocabulary else None,
    )


def _meanings(vocabulary: Sequence[str], vectors: WordVectors) -> Meanings:
    pieces = vectors.pieces(vocabulary)
    starts = _ints([0, *np.cumsum([len(word) for word in pieces])])
    distinct, flat = np.unique(_ints([piece for word in pieces for piece in word]), return_inverse=True)
    rows = vectors.table()[distinct]
    # One word at a time would be slow, all at once would hold the vectors of every token of the vocabulary.
    norms = np.concatenate(
        [
            np.linalg.norm(mean_by_word(rows[flat[starts[at] : starts[stop]]], starts[at : stop + 1]), axis=1)
            for at in range(0, len(pieces), 2_000)
            for stop in [min(at + 2_000, len(pieces))]
        ]
    )
    return Meanings(
        distinct=distinct, pieces=_short(flat.astype(np.int32)), starts=starts, norms=norms.astype(np.float32)
    )


def mean_by_word(rows: NDArray[np.float32], starts: Ints) -> NDArray[np.float32]:
    """Return the mean of each word's rows; every word has at least one."""
    sums = np.add.reduceat(rows, starts[:-1] - starts[0], axis=0)
    return np.asarray(sums / np.diff(starts)[:, None], dtype=np.float32)


def _short(numbers: Ints) -> Short:
    return numbers.astype(np.uint16) if numbers.size and numbers.max() <= np.iinfo(np.uint16).max else numbers


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int32)
