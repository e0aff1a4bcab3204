"""Makes a draft readable to the guard, and says which sentences it cannot read: those do not pass."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from core.guard.book_index import BookIndex
from core.guard.style import TALK
from core.guard.words import guard_stems, is_latin
from core.text.words import FUNCTION_WORDS

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f]"
)
# Begins where white space begins, so that a long run of it is not gone through again from each of its characters.
_CITATION: Final = re.compile(
    r"(?<!\s)\s*[(\[]\s*(?:cf\.?|see)?\s*(?:pp?\.|pages?)\s*[\dxivlc]+(?:\s*[-–—,;&]\s*(?:pp?\.\s*)?[\dxivlc]+)*\s*[)\]]",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"^[ \t]*(?:#{1,6}|>|[-*+•]|\d{1,2}[.)])[ \t]+|[*`~|]+", re.MULTILINE)
_SPACED_LETTERS: Final = re.compile(r"(?<!\w)(?:\w[\s.\-·/,]{1,3}){4,}\w(?!\w)")
_CODES: Final = re.compile(
    r"(?<!\d)(?:(?:0x)?[0-9a-f]{1,3}[\s,;.:-]+){7,}(?:0x)?[0-9a-f]{1,3}(?![0-9a-z])", re.IGNORECASE
)
_MORSE: Final = re.compile(r"(?:[.\-−–—_·]{1,6}[\s/]+){4,}[.\-−–—_·]{1,6}")
_PICTURES: Final = re.compile("(?:[\U0001f000-\U0001faff\u2600-\u27bf]\\s*){4,}")
_PATTERNS: Final = {
    "spaced letters": _SPACED_LETTERS,
    "codes": _CODES,
    "dots and dashes": _MORSE,
    "pictures": _PICTURES,
}
_BLOB: Final = re.compile(r"(?<![\w/])[A-Za-z0-9+/]{8,}={0,2}(?![\w/])")
_LONG_BLOB: Final = 16
_LEAST_WORDS: Final = 4
_LEAST_KNOWN: Final = 0.5
_LEAST_FUNCTION_WORDS: Final = 0.2


def plain(text: str) -> str:
    """Return a draft as its reader sees it: no invisible characters, no mark-up, no page citations."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return _MARKS.sub("", _CITATION.sub("", visible))


def why_unreadable(sentence: str, words: Sequence[str], index: BookIndex) -> str | None:
    """Return what makes a sentence one that cannot be judged, None where it can be read; `words` are its words."""
    if any(_is_blob(blob) for blob in _BLOB.findall(sentence)):
        return "an encoded word"
    if index.is_latin and _is_other_script(sentence):
        return "another script"
    return "another language" if not _is_known_language(words, index) else None


def why_coded(text: str) -> str | None:
    """Return what code a whole text uses, None where it uses none that shows: a code may run across sentences."""
    return next((what for what, pattern in _PATTERNS.items() if pattern.search(text)), None)


def _is_blob(word: str) -> bool:
    """Whether it is no word but an encoding: letters and digits mixed, or capitals within that decode to plain text."""
    if word.islower() or word.istitle() or word.isupper() or word.isdigit():
        return any(letter.isdigit() for letter in word) and len(word) >= _LONG_BLOB and not word.isdigit()
    try:
        decoded = base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return len(word) >= _LONG_BLOB
    return decoded.isascii() and decoded.decode("ascii").isprintable()


def _is_other_script(sentence: str) -> bool:
    """Whether any word has a letter that is not Latin: also a single one, since letters can be made to look alike."""
    return not sentence.isascii() and any(letter.isalpha() and not is_latin(letter) for letter in sentence)


def _is_known_language(words: Sequence[str], index: BookIndex) -> bool:
    """Whether enough of the words are the book's or function words; short sentences give too little to tell."""
    found = [word for word in words if not word.isdigit()]
    if len(found) < _LEAST_WORDS:
        return True
    function_words = sum(word in FUNCTION_WORDS for word in found) / len(found)
    stems = guard_stems(found)
    known = sum(
        word in FUNCTION_WORDS or word in TALK or stem in index.stems for word, stem in zip(found, stems, strict=True)
    )
    return function_words >= _LEAST_FUNCTION_WORDS or known / len(found) >= _LEAST_KNOWN
