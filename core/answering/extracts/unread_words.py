"""Whether a question is about a name or a word that no read page has: a later one may have it, or none."""

from typing import Final

from core.answering.extracts.people import ARTICLE, MOST_OF_NAME, is_a_word_of, near_names
from core.answering.extracts.read_text import ReadText
from core.language.words import content_stems, content_words
from core.understanding.asked_names import names_in

_MANY: Final = 0.1
_MANY_PAGES: Final = 10


def is_unread_word(read: ReadText, subject: str) -> bool:
    """Whether a word that is asked about stands on no page that is read."""
    return any(not is_a_word_of(read, part) for part in content_words(subject))


def is_unread_name(read: ReadText, subject: str) -> bool:
    """Whether somebody is asked about by a name of which a word stands on no page that is read, nor one near to it."""
    is_written = all(part[:1].isupper() for part in subject.split())
    is_name = is_written or (ARTICLE.match(subject) is None and len(subject.split()) <= MOST_OF_NAME)
    unread = [part for part in content_words(subject) if not is_a_word_of(read, part)]
    return is_name and any(not near_names(read, part, most=1) for part in unread)


def is_everywhere(read: ReadText, subject: str) -> bool:
    """Whether all that is asked about is words that stand on many pages: "who is next?" leaves nothing to look for."""
    least = max(_MANY_PAGES, _MANY * len(read.pages))
    return subject.islower() and all(read.pages_with(stem) >= least for stem in content_stems(subject))


def without_unread_names(read: ReadText, question: str) -> str:
    """Return a question without the names in it that were never read, however spelled: like others by chance alone.

    What stands at its beginning has a capital anyhow.
    """
    for name in names_in(question):
        is_read = any(is_a_word_of(read, part) for part in content_words(name))
        if not (is_read or question.lstrip().startswith(name) or near_names(read, name, most=1)):
            question = question.replace(name, "")
    return question
