"""Words in disguise: backwards, shifted in the alphabet, with digits for letters, or hidden in initials."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from core.guard.book_index import BookIndex
from core.text.words import FUNCTION_WORDS

_LEAST_LETTERS: Final = 4
_LEAST_INITIALS: Final = 5
_ENOUGH: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LEET: Final = str.maketrans("0134578@$", "oieastbas")
_SHIFTS: Final = [str.maketrans(_LETTERS, _LETTERS[by:] + _LETTERS[:by]) for by in range(1, len(_LETTERS))]


def disguised(words: Sequence[str], index: BookIndex, *, last_page: int) -> str | None:
    """Return a word that is written in disguise: a name that comes later, or one of several words of the book."""
    strange = [
        word
        for word in dict.fromkeys(words)
        if len(word) >= _LEAST_LETTERS and word not in FUNCTION_WORDS and word not in index.words
    ]
    if not strange:
        return None
    for undo in _undoings():
        hidden = [plain for word in strange if (plain := undo(word)) != word and plain in index.words]
        late = [word for word in hidden if is_late_name(word, index, last_page=last_page)]
        if late or len(hidden) >= _ENOUGH:
            return (late or hidden)[0]
    return None


def spelt_by_initials(initials: str, index: BookIndex, *, last_page: int) -> str | None:
    """Return a name that comes later and that initials spell."""
    late = (
        word
        for word in index.name_words
        if len(word) >= _LEAST_INITIALS and word in initials and is_late_name(word, index, last_page=last_page)
    )
    return next(late, None)


def is_late_name(word: str, index: BookIndex, *, last_page: int) -> bool:
    """Whether a word of the book is a name that comes only on unread pages."""
    return word in index.name_words and int(index.word_first_page[index.words[word]]) > last_page


def _undoings() -> Iterator[Callable[[str], str]]:
    yield lambda word: word[::-1]
    yield lambda word: word.translate(_LEET)
    for shift in _SHIFTS:
        yield lambda word, table=shift: word.translate(table)  # type: ignore[misc]
