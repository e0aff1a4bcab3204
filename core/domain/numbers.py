"""Whole numbers as books and readers write them: digits, Roman numerals, English words, alone and in titles and labels.

The one parser, for the forms of a position, the labels of pages, the titles of chapters and the headings of a file.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

_DIGITS = re.compile(r"(?P<value>\d{1,64})(?:st|nd|rd|th)?")
# Matched on folded text without IGNORECASE, under which `i` would stand for the Turkish `ı` and `İ` too.
_ROMAN = re.compile(r"(?=.)m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_FOUR_ALIKE = re.compile(r"(.)\1{3}")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_THE = re.compile(r"the\s+", re.IGNORECASE)
_GAP = re.compile(r"[\s-]+")
# `two hundred and ninety-nine` is the longest number in words.
_MOST_WORDS = 5
_RUN_OF_WORDS = re.compile(rf"[^\W_]+(?:(?:\s+|-)[^\W_]+){{0,{_MOST_WORDS - 1}}}")
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = ("'", "’")
# fmt: off
_SMALL = [
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}
# fmt: on

_MAX_CHARACTERS: Final = 64
# Look-alikes that stand for the plain character. Others (superscripts, fractions, circles) would change a number.
_PLAIN_VARIANTS: Final = frozenset({"<wide>", "<narrow>", "<compat>", "<noBreak>"})
_TYPED_ALIKE: Final = str.maketrans("‘’–—", "''--")

_PAGE = re.compile(r"(?:(?:page|pg|p)(?:\. ?| |(?=[0-9])))?(?P<label>[0-9]+|[a-z]-?[0-9]+|[0-9]+[a-z]|[ivxlcdm]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadingNumber:
    """The number that a text begins with, and the offset behind it."""

    value: int
    end: int


def read_number(text: str) -> int | None:
    """Read a whole number in digits, Roman numerals or English words below 300, whatever its case; None if it is none.

    Of Roman numerals the canonical ones, and those with four alike (`IIII`) as old books print them.
    """
    words = _GAP.sub(" ", _THE.sub("", text, count=1) if _THE.match(text) else text).casefold()
    words = words.replace(" and ", " ")
    if match := _DIGITS.fullmatch(words):
        return int(match["value"])
    if _ROMAN.fullmatch(words):
        values = [_ROMAN_VALUES[letter] for letter in words]
        return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
    return _SPELLED.get(words)


def leading_number(text: str) -> LeadingNumber | None:
    """Read the longest number that a text begins with: `Twenty-two: the Sea` is 22."""
    the = _THE.match(text)
    start = the.end() if the else 0
    run = _RUN_OF_WORDS.match(text, start)
    ends = [word.end() for word in _WORD.finditer(text, start, run.end())] if run else []
    for end in reversed(ends):
        value = read_number(text[start:end])
        if value is not None and not text.startswith(_APOSTROPHES, end):  # `I’ve` begins with no number
            return LeadingNumber(value=value, end=end)
    return None


def is_canonical_roman(text: str) -> bool:
    """Tell whether a text is a Roman numeral in small letters as they are written today: `iv`, not `iiii`."""
    return _ROMAN.fullmatch(text) is not None and not _FOUR_ALIKE.search(text)


def page_label(text: str) -> str | None:
    """Return a page label as it is compared (`XII` as `xii`, `P. 012` as `12`), None if it is none.

    Labels that no form can name (`Cover`) are none, so that no wording of a book's maker is ever shown in a refusal.
    """
    match = _PAGE.fullmatch(fold_form(text))
    if match is None:
        return None
    label = match["label"]
    if label.isdecimal():
        return str(int(label))
    return label if not label.isalpha() or is_canonical_roman(label) else None


def fold_form(text: str) -> str:
    """Fold case, width and spaces of what was typed; too long or with foreign characters it becomes empty: no form."""
    stripped = text.strip()
    if len(stripped) > _MAX_CHARACTERS or not (stripped.isascii() or all(map(_is_plain, stripped))):
        return ""
    folded = unicodedata.normalize("NFKC", stripped.translate(_TYPED_ALIKE)).casefold()
    folded = re.sub(r"[ \t]+", " ", folded).strip()
    return folded if folded.isascii() and folded.isprintable() else ""


def _spell(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    tens, unit = divmod(rest, 10) if rest >= len(_SMALL) else (0, rest)
    words = [f"{_SMALL[hundreds]} hundred" if hundreds else "", _TENS[tens], _SMALL[unit]]
    return " ".join(word for word in words if word)


def _ordinal(cardinal: str) -> str:
    *head, last = cardinal.split()
    ordinal = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return " ".join([*head, ordinal])


_CARDINALS = {_spell(number): number for number in range(1, 300)}
_SPELLED = _CARDINALS | {_ordinal(cardinal): number for cardinal, number in _CARDINALS.items()}


def _is_plain(character: str) -> bool:
    decomposition = unicodedata.decomposition(character)
    return not decomposition.startswith("<") or decomposition.split()[0] in _PLAIN_VARIANTS
