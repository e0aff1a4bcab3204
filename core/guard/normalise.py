"""Cleans a draft for the guard, and finds unreadable sentences and hidden words, which are blocked.

Words may be hidden backwards, shifted in the alphabet, with digits for letters, or in initials.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from core.domain.folding import INVISIBLE
from core.guard.book_index import BookIndex
from core.guard.style import TALK
from core.guard.words import guard_stems, is_latin, tokens
from core.language.words import FUNCTION_WORDS

_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
# Starts only at the beginning of white space, so that a long run of it is not scanned again from each character.
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

_LEAST_LETTERS: Final = 4
_LEAST_FOREIGN: Final = 5
_LEAST_INITIALS: Final = 5
_ENOUGH: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LEET: Final = str.maketrans("0134578@$", "oieastbas")
_SHIFTS: Final = [str.maketrans(_LETTERS, _LETTERS[by:] + _LETTERS[:by]) for by in range(1, len(_LETTERS))]

Undo = Callable[[str], str]


def plain(text: str) -> str:
    """Return a draft without invisible characters, mark-up and page citations."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return _MARKS.sub("", _CITATION.sub("", visible))


def why_unreadable(sentence: str, words: Sequence[str], index: BookIndex, *, any_language: bool = False) -> str | None:
    """Return why a sentence cannot be judged; None if it is readable.

    `words` are its words. With `any_language`, the book's language is not the only one.
    """
    if any(_is_blob(blob) for blob in _BLOB.findall(sentence)):
        return "an encoded word"
    if index.is_latin and _is_other_script(sentence):
        return "another script"
    return None if any_language or is_known_language(words, index) else "another language"


def why_coded(text: str) -> str | None:
    """Return the code that a whole text is written in, since a code may run across sentences; None without one."""
    return next((what for what, pattern in _PATTERNS.items() if pattern.search(text)), None)


def hidden_word(
    text: str, sentence_words: Sequence[Sequence[str]], index: BookIndex, *, last_page: int, any_language: bool = False
) -> str | None:
    """Return a word of the book that a text hides, disguised or in initials; None if there is none.

    `sentence_words` are the words of its sentences. A name may be in the initials of words, sentences or lines.
    """
    words = [word for sentence in sentence_words for word in sentence]
    found = disguised(words, index, last_page=last_page, any_language=any_language)
    if found is not None:
        return found
    line_words = [tokens(line).words for line in text.splitlines()]
    several = (_initials(words), _initials(_first_words(sentence_words)), _initials(_first_words(line_words)))
    return spelt_by_initials(several, index, last_page=last_page)


def disguised(words: Sequence[str], index: BookIndex, *, last_page: int, any_language: bool = False) -> str | None:
    """Return a disguised word: an unread name, or one of several disguised words of the book; None without one.

    With `any_language` only a name of five letters counts: words of another language often look like disguised ones,
    as "ella" does for "hood".
    """
    least, enough = (_LEAST_FOREIGN, len(words) + 1) if any_language else (_LEAST_LETTERS, _ENOUGH)
    strange = _strange_words(words, index, least=least)
    for undo in _UNDOINGS:
        meant = list(_words_meant(strange, undo, index))
        late = next((word for word in meant if is_late_name(word, index, last_page=last_page)), None)
        if late is not None or len(meant) >= enough:
            return late or meant[0]
    return None


def spelt_by_initials(several: Iterable[str], index: BookIndex, *, last_page: int) -> str | None:
    """Return the first unread name that some initials spell; None if there is none."""
    enough = [initials for initials in several if len(initials) >= _LEAST_INITIALS]
    if not enough:
        return None
    late = [word for word in index.late_names(last_page) if len(word) >= _LEAST_INITIALS]
    return next((word for initials in enough for word in late if word in initials), None)


def is_late_name(word: str, index: BookIndex, *, last_page: int) -> bool:
    """Whether a word is a name that the book has only on unread pages."""
    number = index.words.number_of(word)
    return number is not None and index.is_named(number) and int(index.word_first_page[number]) > last_page


def _is_blob(word: str) -> bool:
    """Whether it is an encoding and not a word: mixed letters and digits, or inner capitals that decode to text."""
    if word.islower() or word.istitle() or word.isupper() or word.isdigit():
        return any(letter.isdigit() for letter in word) and len(word) >= _LONG_BLOB and not word.isdigit()
    try:
        decoded = base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return len(word) >= _LONG_BLOB
    return decoded.isascii() and decoded.decode("ascii").isprintable()


def _is_other_script(sentence: str) -> bool:
    """Whether a sentence has a letter that is not Latin. One is enough, since letters can look alike."""
    return not sentence.isascii() and any(letter.isalpha() and not is_latin(letter) for letter in sentence)


def is_known_language(words: Sequence[str], index: BookIndex) -> bool:
    """Whether enough words are function words or in the book. Always true for short sentences."""
    found = [word for word in words if not word.isdigit()]
    if len(found) < _LEAST_WORDS:
        return True
    function_words = sum(word in FUNCTION_WORDS for word in found) / len(found)
    stems = guard_stems(found)
    known = sum(
        word in FUNCTION_WORDS or word in TALK or stem in index.stems for word, stem in zip(found, stems, strict=True)
    )
    return function_words >= _LEAST_FUNCTION_WORDS or known / len(found) >= _LEAST_KNOWN


def _strange_words(words: Iterable[str], index: BookIndex, *, least: int) -> list[str]:
    """Return the words of at least so many letters that are neither in the book nor known words, each once."""
    long = [word for word in dict.fromkeys(words) if len(word) >= least]
    return [word for word in long if word not in FUNCTION_WORDS and word not in index.words]


def _words_meant(strange: Iterable[str], undo: Undo, index: BookIndex) -> Iterator[str]:
    """Yield the words of the book that result from undoing a disguise."""
    for word in strange:
        plain = undo(word)
        if plain != word and plain in index.words:
            yield plain


def _shift(table: dict[int, int]) -> Undo:
    return lambda word: word.translate(table)


def _backwards(word: str) -> str:
    return word[::-1]


_UNDOINGS: Final[Sequence[Undo]] = (_backwards, _shift(_LEET), *map(_shift, _SHIFTS))


def _first_words(several: Iterable[Sequence[str]]) -> Iterator[str]:
    return (words[0] for words in several if words)


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)
