"""Which code made something that is kept in a file: what other code has made is made anew."""

import hashlib
import sys
import unicodedata
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final

_LIBRARIES: Final = ("numpy", "sentencex", "PyStemmer", "wordllama", "tokenizers")
_SOURCES: Final = (".py", ".txt")


@cache
def code_version(*packages: str) -> str:
    """Return what changes with the source of some packages, and with the libraries that take texts apart."""
    digest = hashlib.blake2b(digest_size=16)
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
