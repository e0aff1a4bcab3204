"""Questions about the book as a thing: who wrote it, how long it is. No page is looked at for them.

What is said hangs on what stands on a cover alone; of when it was written, or what follows it, nothing is known here.
"""

import re
from typing import Final

from core.catalogue.sentences import say, say_count
from core.domain.book import Book
from core.domain.messages import CANNOT_SAY, plain_name

_BEGINS: Final = (
    r"^\W*(?:(?:so|and|but|ok|okay|hey|hi|wait|please|thusfar|do\s+you\s+know|does\s+anyone\s+know|tell\s+(?:me|us))\b"
    r"\W*)*"
)
_IT: Final = r"(?:it|this|that|(?:the|this|our)\s+(?:book|novel|story|thing)|the\s+whole\s+(?:book|thing))"
_ENDS: Final = r"(?:\s+(?:again|please|actually|anyway|by\s+the\s+way|in\s+all|all\s+in\s+all|altogether|total))*\W*$"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(f"{_BEGINS}(?:{pattern}){_ENDS}", re.IGNORECASE)


_BY_WHOM: Final = _form(
    rf"who\s+(?:wrote|has\s+written|authored)\s+{_IT}|who(?:['’]?s|\s+is|\s+was)\s+(?:the|its)\s+(?:author|writer)(?:\s+of\s+{_IT})?"
    rf"|who(?:['’]?s|\s+is)\s+{_IT}\s+by|(?:the|its)\s+author|by\s+whom\s+is\s+{_IT}|what(?:['’]?s|\s+is)\s+the\s+author['’]?s\s+name"
)
_TITLE: Final = _form(
    rf"what(?:['’]?s|\s+is)\s+(?:the|its)\s+(?:title|name)(?:\s+of\s+{_IT})?|what(?:['’]?s|\s+is)\s+{_IT}\s+called"
)
_HOW_LONG: Final = _form(
    rf"how\s+many\s+pages\s+(?:does|has|are\s+(?:there\s+)?in|is|long\s+is)\s+{_IT}(?:\s+(?:have|got|long))?"
    rf"|how\s+many\s+pages(?:\s+(?:are\s+there|has\s+it|does\s+it\s+have))?|how\s+long\s+is\s+{_IT}"
)
_UNKNOWN: Final = _form(
    rf"when\s+(?:was|is|did)\s+(?:{_IT}|they)\s+(?:written|published|come\s+out|printed)|(?:is|are|was|were)\s+there\s+(?:a|any|more)\s+"
    rf"(?:sequels?|prequels?|films?|movies?)(?:\s+(?:of|to|after)\s+{_IT})?|what\s+(?:genre|kind\s+of\s+book)\s+is\s+{_IT}"
    rf"|how\s+many\s+(?:chapters|parts|words)\s+(?:are\s+there|does\s+{_IT}\s+have|has\s+{_IT}|are\s+(?:there\s+)?in\s+{_IT})"
)


def asks_how_long(question: str) -> bool:
    """Whether it is asked how many pages the book has, which only its text tells."""
    return _HOW_LONG.match(question) is not None


def told_of_length(book: Book, *, pages: int) -> str:
    """Return what is said of a book that has so many pages."""
    return say_count("{title} has {number} page.", "{title} has {number} pages.", pages, title=plain_name(book.title))


def told_of_book(question: str, book: Book) -> str | None:
    """Return what is said to a question about the book itself, but for its length; None for other questions."""
    if _BY_WHOM.match(question):
        if not book.author:
            return CANNOT_SAY
        return say("{title} is by {author}.", title=plain_name(book.title), author=plain_name(book.author))
    if _TITLE.match(question):
        return say("It's {title}.", title=plain_name(book.title))
    return CANNOT_SAY if _UNKNOWN.match(question) else None
