"""Finds the book that a name means, since people seldom use the whole title."""

import re
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from core.catalogue.sentences import say
from core.domain.errors import BookError, BookErrorCode
from core.domain.folding import folded

_WORD: Final = re.compile(r"[^\W_]+")
_ARTICLES: Final = frozenset({"a", "an", "the"})
_NOT_AT_ALL: Final = 5


class Named(Protocol):
    """Anything with an id and a title: a book or its row."""

    @property
    def book_id(self) -> str:
        """The id, such as b_0123456789ab."""

    @property
    def title(self) -> str:
        """The title."""


NamedBook = TypeVar("NamedBook", bound=Named)


def named(books: Sequence[NamedBook], name: str) -> NamedBook:
    """Return the book that a name means: its id, its title, the beginning of its title, or a run of words of it.

    Ignores case, accents, punctuation and a leading article. The closest match wins, so that an exact title is never
    ambiguous.

    Raises:
        BookError: NOT_FOUND, or AMBIGUOUS with the titles that match.
    """
    closeness = [_closeness(book, name) for book in books]
    closest = min(closeness, default=_NOT_AT_ALL)
    found = [book for book, fits in zip(books, closeness, strict=True) if fits == closest]
    if closest == _NOT_AT_ALL:
        raise BookError(BookErrorCode.NOT_FOUND, say("I don't have a book called {title!r}.", title=name[:80]))
    if len(found) > 1:
        listed = ", ".join(f"{book.title} ({book.book_id})" for book in found)
        told = say("{title!r} fits several books: {books}.", title=name, books=listed)
        raise BookError(BookErrorCode.AMBIGUOUS, told)
    return found[0]


def _closeness(book: Named, name: str) -> int:
    """Return the rank of a match, best 0: the id."""
    called, words, title = folded(name), " ".join(_words(name)), " ".join(_words(book.title))
    return (
        book.book_id == called,
        folded(book.title) == called,
        bool(words) and title == words,
        bool(words) and title.startswith(words),
        bool(words) and f" {words} " in f" {title} ",
        True,
    ).index(True)


def _words(title: str) -> list[str]:
    """Return the words of a title as they are compared, without an article in front unless there is nothing else."""
    words = _WORD.findall(folded(title).replace("'", ""))
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
