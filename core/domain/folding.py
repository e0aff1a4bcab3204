"""Folds texts for comparison, so that text typed without accents matches text printed with them, and vice versa."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

_MOST_KEPT: Final = 10_000
_APOSTROPHES: Final = "‘’‚‛‹›`´ʹʻʼʽˈ′‵᾽᾿׳"
_QUOTES: Final = "“”„‟«»″‶〝〞״"
_DASHES: Final = "‐‑‒–—―−⁃־"
_LETTERS: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "ŋ": "n",
}  # fmt: skip
"""Letters that Unicode does not decompose."""
_ALIKE: Final = {
    **dict.fromkeys(_APOSTROPHES, "'"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_DASHES, "-"),
    "ـ": "",
    **_LETTERS,
    **{letter.upper(): alike.capitalize() for letter, alike in _LETTERS.items() if letter != "ı"},
}
INVISIBLE: Final = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Characters that no reader sees, as a part of a pattern's class."""
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_MARKS: Final = "[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]*"
_MORE_MARKS: Final = f"[\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed{INVISIBLE}]*"
"""Patterns of marks on or after a letter: in Latin and Greek, and in other scripts."""
_FIRST_MORE: Final = "\u0400"
_ALPHABETS: Final = "".join(map(chr, (*range(0xC0, 0x530), *range(0x620, 0x64B), *range(0x1E00, 0x2000))))
_LIGATURES: Final = "".join(map(chr, range(0xFB00, 0xFB50)))
CAPITAL: Final = "A-Z" + "".join(filter(str.isupper, _ALPHABETS))
"""The capital letters, as a part of a pattern's class."""
SMALL: Final = "a-z" + "".join(filter(str.islower, _ALPHABETS))
"""The small letters, as a part of a pattern's class."""


class _Plain(dict[int, str]):
    """The replacement of each character, by its number, computed when first needed."""

    def __missing__(self, number: int) -> str:
        character = chr(number)
        plain = _ALIKE.get(character)
        if plain is None:
            parts = "" if _INVISIBLE.match(character) else unicodedata.normalize("NFKD", character)
            plain = "".join(_ALIKE.get(part, part) for part in parts if not unicodedata.combining(part))
        if len(self) < _MOST_KEPT:
            self[number] = plain
        return plain


_PLAIN: Final = _Plain()


def folded(text: str) -> str:
    """Return a text folded for comparison. Not for display.

    Case, accents, vowel points, ligatures and invisible characters are removed; quotes, apostrophes, dashes and white
    space become one kind each.
    """
    return " ".join(unaccented(text).casefold().split())


def unaccented(text: str) -> str:
    """Return a text folded, except for its capitals and white space."""
    return text.translate(_PLAIN)


def as_printed(text: str) -> str:
    """Return a pattern that matches a text with any accents, ligatures, quotes, dashes and line breaks."""
    plain = unaccented(text).replace("ß", "ss")
    return r"\s+".join("".join(_printed_word(word)) for word in plain.split())


def _printed_word(word: str) -> Iterator[str]:
    at = 0
    printed = _printed()
    while at < len(word):
        several = (word[at : at + length] for length in (3, 2))
        letters = next((each for each in several if len(each) > 1 and each in printed), word[at])
        each = "".join(_printed_letter(letter, printed.get(letter, "")) for letter in letters)
        yield f"(?:[{printed[letters]}]|{each})" if len(letters) > 1 else each
        at += len(letters)


def _printed_letter(letter: str, others: str) -> str:
    if not letter.isalpha():
        return f"[{re.escape(letter)}{others}]"
    return (f"[{letter}{others}]" if others else letter) + (_MARKS if letter < _FIRST_MORE else _MORE_MARKS)


@cache
def _printed() -> dict[str, str]:
    """Return the printed variants of each letter or group of letters."""
    found: dict[str, str] = {"ss": "ß", "Ss": "ẞ"}
    for character in (*_APOSTROPHES, *_QUOTES, *_DASHES, *_ALPHABETS, *_LIGATURES):
        plain = unaccented(character)
        if plain not in {character, ""}:
            found[plain] = found.get(plain, "") + re.escape(character)
    return found
