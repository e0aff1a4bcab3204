"""Checks whether a question is about a name or word that is on no read page."""

from typing import Final

from core.answering.extracts.people import ARTICLE, MOST_OF_NAME, is_a_word_of, near_names
from core.answering.extracts.read_text import ReadText
from core.language.names import names_in
from core.language.words import content_stems, content_words

_MANY: Final = 0.1
_MANY_PAGES: Final = 10
_FEW_STEMS: Final = 2


def is_unread_word(read: ReadText, subject: str) -> bool:
    """Whether one of the words asked about is on no read page."""
    return any(not is_a_word_of(read, part) for part in content_words(subject))


def is_unread_name(read: ReadText, subject: str) -> bool:
    """Whether the subject is a name with a word that is on no read page, not even in a similar spelling."""
    is_written = all(part[:1].isupper() for part in subject.split())
    is_name = is_written or (ARTICLE.match(subject) is None and len(subject.split()) <= MOST_OF_NAME)
    unread = [part for part in content_words(subject) if not is_a_word_of(read, part)]
    return is_name and any(not near_names(read, part, most=1) for part in unread)


def asks_unread_names(question: str, read: ReadText) -> bool:
    """Whether a question asks next to nothing but who bears some names, all of which are on no read page.

    The word that begins it has a capital anyway, and is a name only where it stands alone: "Ahab?".
    """
    first, _, rest = question.strip().partition(" ")
    names = names_in(rest or first)
    is_of_names = len(content_stems(question) - content_stems(" ".join(names))) <= _FEW_STEMS
    return bool(names) and is_of_names and all(is_unread_name(read, each) for each in names)


def is_everywhere(read: ReadText, subject: str) -> bool:
    """Whether all words asked about are on many pages, so that there is nothing to search for: "who is next?"."""
    least = max(_MANY_PAGES, _MANY * len(read.pages))
    return subject.islower() and all(read.pages_with(stem) >= least for stem in content_stems(subject))


def without_unread_names(read: ReadText, question: str) -> str:
    """Return a question without the names in it that are on no read page in any spelling.

    They could match read text only by chance. A word at the beginning stays, since it has a capital anyway.
    """
    for name in names_in(question):
        is_read = any(is_a_word_of(read, part) for part in content_words(name))
        if not (is_read or question.lstrip().startswith(name) or near_names(read, name, most=1)):
            question = question.replace(name, "")
    return question
