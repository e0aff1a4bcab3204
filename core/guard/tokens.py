"""A text as the guard compares it: its words, folded, and which of them are written with a capital."""

import re
import unicodedata
from dataclasses import dataclass

from core.text.words import words

_WORD = re.compile(r"\w+(?:'\w+)*")
_EMPHASIS = re.compile(r"[_*]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The words of a text in order, and for each whether it begins with a capital letter."""

    words: tuple[str, ...]
    capital: tuple[bool, ...]


def tokens(text: str) -> Tokens:
    """Return the words of a text; marks of emphasis do not belong to them."""
    plain = _EMPHASIS.sub(" ", unicodedata.normalize("NFKC", text).replace("’", "'"))
    written = _WORD.findall(plain)
    return Tokens(words=tuple(words(plain)), capital=tuple(word[0].isupper() for word in written))


def is_latin(letter: str) -> bool:
    """Whether a letter belongs to the Latin script."""
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") or letter in "ªº"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a text."""
    return frozenset(text.split())
