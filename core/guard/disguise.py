"""Words in disguise: backwards, shifted in the alphabet, with digits for letters, or hidden in initials."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from core.guard.book_index import BookIndex
from core.guard.words import tokens
from core.text.words import FUNCTION_WORDS

_LEAST_LETTERS: Final = 4
_LEAST_INITIALS: Final = 5
_ENOUGH: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LEET: Final = str.maketrans("0134578@$", "oieastbas")
_SHIFTS: Final = [str.maketrans(_LETTERS, _LETTERS[by:] + _LETTERS[:by]) for by in range(1, len(_LETTERS))]

Undo = Callable[[str], str]


def hidden_word(text: str, sentence_words: Sequence[Sequence[str]], index: BookIndex, *, last_page: int) -> str | None:
    """Return a word of the book that a text hides: in disguise, or spelt by first letters.

    `sentence_words` are the words of its sentences; a name may be spelt by the initials of words, sentences or lines.
    """
    words = [word for sentence in sentence_words for word in sentence]
    found = disguised(words, index, last_page=last_page)
    if found is not None:
        return found
    line_words = [tokens(line).words for line in text.splitlines()]
    for initials in (_initials(words), _initials(_first_words(sentence_words)), _initials(_first_words(line_words))):
        found = spelt_by_initials(initials, index, last_page=last_page)
        if found is not None:
            return found
    return None


def disguised(words: Sequence[str], index: BookIndex, *, last_page: int) -> str | None:
    """Return a word that is written in disguise: a name that comes later, or one of several words of the book."""
    strange = [word for word in dict.fromkeys(words) if _is_strange(word, index)]
    if not strange:
        return None
    for undo in _UNDOINGS:
        meant = list(_words_meant(strange, undo, index))
        late = [word for word in meant if is_late_name(word, index, last_page=last_page)]
        if late or len(meant) >= _ENOUGH:
            return (late or meant)[0]
    return None


def spelt_by_initials(initials: str, index: BookIndex, *, last_page: int) -> str | None:
    """Return a name that comes later and that initials spell."""
    if len(initials) < _LEAST_INITIALS:
        return None
    late = (
        word
        for word in index.name_words()
        if len(word) >= _LEAST_INITIALS and word in initials and is_late_name(word, index, last_page=last_page)
    )
    return next(late, None)


def is_late_name(word: str, index: BookIndex, *, last_page: int) -> bool:
    """Whether a word of the book is a name that comes only on unread pages."""
    number = index.words.number_of(word)
    return number is not None and index.is_named(number) and int(index.word_first_page[number]) > last_page


def _is_strange(word: str, index: BookIndex) -> bool:
    """Whether a word is long enough to hide another, and is none that the book or the language has."""
    return len(word) >= _LEAST_LETTERS and word not in FUNCTION_WORDS and word not in index.words


def _words_meant(strange: Iterable[str], undo: Undo, index: BookIndex) -> Iterator[str]:
    """Yield the words of the book that come out where a disguise is undone."""
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
