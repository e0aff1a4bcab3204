"""Converts indexes of books to arrays for files and back, and computes the version of the code that made them."""

import hashlib
import sys
import unicodedata
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from types import NoneType
from typing import Any, Final, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from core.language.packed_words import Arrays, PackedWords

_LIBRARIES: Final = ("numpy", "sentencex", "PyStemmer", "wordllama", "tokenizers")
_SOURCES: Final = (".py", ".txt")

IndexT = TypeVar("IndexT")


def arrays_of(index: object, prefix: str = "") -> dict[str, NDArray[np.generic]]:
    """Return all arrays, numbers and words of an index; names of nested parts have the part's name and a dot.

    Raises:
        TypeError: the index is not a dataclass of those.
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


def index_of(kind: type[IndexT], arrays: Arrays) -> IndexT:
    """Return the index from the arrays of `arrays_of`. Raises KeyError if one is missing."""
    hints = get_type_hints(kind)
    return kind(**{name: _value_of(hint, name, arrays) for name, hint in hints.items()})


def _value_of(hint: Any, name: str, arrays: Arrays) -> object:  # noqa: ANN401 (whatever a field may be)
    kind, *others = get_args(hint) or (hint,)
    if name in arrays:
        return kind(arrays[name]) if kind in {bool, int} else arrays[name]
    part = {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}
    if part:
        return PackedWords.of_arrays(part) if kind is PackedWords else index_of(kind, part)
    if NoneType in others:
        return None
    raise KeyError(name)


@cache
def code_version(*packages: str) -> str:
    """Return a version that changes with the source of these packages and with the text libraries.

    Indexes made by another version are built again.
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
