"""What is said of the book as a thing: who wrote it, what it is called, how long it is. No page is looked at for it."""

from typing import Final

from core.catalogue.sentences import say, say_count
from core.domain.book import Book
from core.domain.messages import plain_name
from core.domain.understanding import Intent, Understanding
from core.language.words import words

_BY_WHOM: Final = frozenset(
    words("author author's writer wrote written autor autorin verfasser geschrieben auteur écrit escribió escrito")
)
_TITLE: Final = frozenset(words("title titel titre título called heißt"))
_LENGTH: Final = frozenset(
    words(
        "pages long longer left far remaining end finish book seiten lang weit ende buch reste restent long fin "
        "livre páginas largo queda quedan falta faltan libro"
    )
)
_OF_CHAPTER: Final = frozenset(
    words("chapter chapters part section kapitel teil chapitre partie capítulo parte scene act")
)


def asks_how_long(meaning: Understanding, text: str) -> bool:
    """Whether it is asked how long the book is, or how much of it is left: not of a chapter."""
    said = set(words(text))
    is_of_all = meaning.slots.chapter is meaning.slots.page is None and _OF_CHAPTER.isdisjoint(said)
    return meaning.intent is Intent.HOW_FAR and is_of_all and not _LENGTH.isdisjoint(said)


def length_of_book(title: str, *, pages: int, read: int) -> str:
    """Return how many pages the book has, and how many are left."""
    length = say_count("{title} has {number} page.", "{title} has {number} pages.", pages, title=plain_name(title))
    left = max(pages - read, 0)
    return (
        f"{length} " + say_count("{number} page is left.", "{number} pages are left.", left)
        if read and left
        else length
    )


def told_of_book(meaning: Understanding, text: str, book: Book) -> str | None:
    """Return what is said to a question about author or title; None for other questions."""
    if meaning.intent not in {Intent.BACKGROUND, Intent.CLUB, Intent.WHO, Intent.FACT} or meaning.slots.name:
        return None
    said = set(words(text))
    if said & _BY_WHOM and book.author:
        return say("{title} is by {author}.", title=plain_name(book.title), author=plain_name(book.author))
    return say("It's {title}.", title=plain_name(book.title)) if said & _TITLE else None
