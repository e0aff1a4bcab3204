"""Indexes of books as arrays that can be kept in a file, typed arrays back, and which code made them."""

import hashlib
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.language.packed_words import Arrays, Ints, PackedWords, Short, short

_LIBRARIES: Final = ("numpy", "sentencex", "PyStemmer", "wordllama", "tokenizers")
_SOURCES: Final = (".py", ".txt")


def arrays_of(index: object, prefix: str = "") -> dict[str, NDArray[np.generic]]:
    """Return all arrays, numbers and words of an index, those of its parts under the part's name and a dot.

    Raises:
        TypeError: it is no dataclass of those.
    """
    if not is_dataclass(index):
        raise TypeError(f"{type(index).__name__} is nothing to be kept as arrays.")
    found: dict[str, NDArray[np.generic]] = {}
    for field in fields(index):
        found |= _arrays_in(getattr(index, field.name), prefix + field.name)
    return found


def _arrays_in(value: object, name: str) -> dict[str, NDArray[np.generic]]:
    if value is None:
        return {}
    if isinstance(value, np.ndarray):
        return {name: value}
    if isinstance(value, bool | int):
        return {name: np.array(value)}
    if isinstance(value, PackedWords):
        return {f"{name}.{part}": array for part, array in value.arrays().items()}
    return arrays_of(value, f"{name}.")


@dataclass(frozen=True, slots=True)
class KeptArrays:
    """What `arrays_of` gave, as what it was. Each raises KeyError where there is no such array."""

    arrays: Arrays
    prefix: str = ""

    def ints(self, name: str) -> Ints:
        """Return whole numbers."""
        return self.arrays[self.prefix + name].astype(np.int32, copy=False)

    def shorts(self, name: str) -> Short:
        """Return whole numbers as short as they come."""
        kept = self.arrays[self.prefix + name]
        return kept.astype(np.uint16, copy=False) if kept.dtype == np.uint16 else short(self.ints(name))

    def tops(self, name: str) -> NDArray[np.uint32]:
        """Return beginnings of hashes."""
        return self.arrays[self.prefix + name].astype(np.uint32, copy=False)

    def bits(self, name: str) -> NDArray[np.uint8]:
        """Return whether things are so, eight to a number."""
        return self.arrays[self.prefix + name].astype(np.uint8, copy=False)

    def floats(self, name: str) -> NDArray[np.float32]:
        """Return numbers with fractions."""
        return self.arrays[self.prefix + name].astype(np.float32, copy=False)

    def number(self, name: str) -> int:
        """Return a number, or whether something is so."""
        return int(self.arrays[self.prefix + name])

    def words(self, name: str) -> PackedWords:
        """Return words."""
        return PackedWords.of_arrays(self._of(name))

    def part(self, name: str) -> "KeptArrays | None":
        """Return a part of the index, None where it has none."""
        part = KeptArrays(self.arrays, f"{self.prefix}{name}.")
        return part if self._of(name) else None

    def has(self, name: str) -> bool:
        """Whether there is an array of this name."""
        return self.prefix + name in self.arrays

    def _of(self, name: str) -> Mapping[str, NDArray[np.generic]]:
        start = f"{self.prefix}{name}."
        return {key.removeprefix(start): array for key, array in self.arrays.items() if key.startswith(start)}


@cache
def code_version(*packages: str) -> str:
    """Return what changes with the source of some packages, and with the libraries that take texts apart.

    What other code has made is made anew.
    """
    digest = hashlib.blake2b(files("core.domain").joinpath("folding.py").read_bytes(), digest_size=16)
    for package in packages:
        for source in sorted(files(package).iterdir(), key=lambda each: each.name):
            if source.name.endswith(_SOURCES):
                digest.update(source.read_bytes())
    python = (*sys.version_info[:2], sys.byteorder, unicodedata.unidata_version)
    digest.update(repr([*python, *map(_version, _LIBRARIES)]).encode())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
