"""The distinct words of a book in a tenth of a dict's memory, which load from a file without being parsed."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Short = NDArray[np.uint16] | Ints
Arrays = Mapping[str, NDArray[np.generic]]

NOWHERE: Final = -1
"""The number of an unknown word."""

_HASHES_KEPT: Final = 2_048
"""How many hashes are cached: a turn looks up the same words in several indexes."""


class PackedWords(Sequence[str]):
    """Distinct words in the given order, found by their hashes."""

    __slots__ = ("_bounds", "_hashes", "_numbers", "_starts", "_text", "nbytes")

    def __init__(self, text: str, *, starts: Ints, hashes: NDArray[np.uint64], numbers: Short) -> None:
        """Take the joined words with their starts, and the sorted hashes with the number of each one's word."""
        self._text = text
        self._starts = starts
        # Single numbers come out of a memoryview, and bisect goes through it, many times as fast as out of an array.
        self._bounds = starts.data
        self._hashes = hashes.data
        self._numbers = numbers.data
        self.nbytes = len(text.encode("utf-8", "surrogatepass")) + starts.nbytes + hashes.nbytes + numbers.nbytes

    @classmethod
    def of(cls, given: Sequence[str]) -> "PackedWords":
        """Pack words, all different from one another."""
        hashes = np.array([_hash(word) for word in given], dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        return cls(
            "".join(given),
            starts=np.cumsum([0, *map(len, given)], dtype=np.int32),
            hashes=hashes[order],
            numbers=short(order.astype(np.int32)),
        )

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> "PackedWords":
        """Return the words that `arrays` were made of."""
        return cls(
            arrays["text"].tobytes().decode("utf-8", "surrogatepass"),
            starts=arrays["starts"].astype(np.int32, copy=False),
            hashes=arrays["hashes"].astype(np.uint64, copy=False),
            numbers=short(arrays["numbers"].astype(np.int32, copy=False)),
        )

    def arrays(self) -> Arrays:
        """Return what is to be kept of them."""
        return {
            "text": np.frombuffer(self._text.encode("utf-8", "surrogatepass"), dtype=np.uint8),
            "starts": self._starts,
            "hashes": np.asarray(self._hashes),
            "numbers": np.asarray(self._numbers),
        }

    def __len__(self) -> int:
        """How many words there are."""
        return len(self._starts) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        """Return the word of a number, or some of them."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._text[self._bounds[number] : self._bounds[number + 1]]

    def __contains__(self, word: object) -> bool:
        """Whether a word is among them."""
        return isinstance(word, str) and self.number_of(word) is not None

    def number_of(self, word: str) -> int | None:
        """Return the word's number, None where it is not among them."""
        hashed = _kept_hash(word)
        place = bisect_left(self._hashes, hashed)
        while place < len(self._hashes) and self._hashes[place] == hashed:
            number = self._numbers[place]
            if self._text[self._bounds[number] : self._bounds[number + 1]] == word:
                return number
            place += 1
        return None

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """Return the number of each word, -1 (`NOWHERE`) for those that are not among them."""
        return [NOWHERE if (number := self.number_of(word)) is None else number for word in words]

    def words_of(self, numbers: Iterable[int]) -> list[str]:
        """Return the words of numbers that there are."""
        text, bounds = self._text, self._bounds
        return [text[bounds[number] : bounds[number + 1]] for number in numbers]

    def shaped_like(self, word: str, *, longer: int, first: int) -> dict[int, str]:
        """Return words by number, among the first `first` ones, with the same initial letter and similar length.

        Their length differs from the word's by at most `longer` letters.
        """
        letters = np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        starts, lengths = self._starts[:first], np.diff(self._starts[: first + 1])
        alike = (np.abs(lengths - len(word)) <= longer) & (lengths > 0)
        alike[alike] = letters[starts[alike]] == ord(word[0])
        return {int(number): self[int(number)] for number in np.flatnonzero(alike)}


def short(numbers: Ints) -> Short:
    """Return non-negative numbers in the smallest integer type that fits."""
    return numbers.astype(np.uint16) if numbers.size and numbers.max() <= np.iinfo(np.uint16).max else numbers


def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_kept_hash = lru_cache(maxsize=_HASHES_KEPT)(_hash)
