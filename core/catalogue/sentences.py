"""Sentences for members by GNU gettext: the English text is the id, values have names, numbers choose their form.

https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html has the format of the catalogue; Babel writes it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final

_ENGLISH: Final = NullTranslations()
_READERS: ContextVar[NullTranslations] = ContextVar("the catalogue of who reads", default=_ENGLISH)


def sentence(text: str) -> str:
    """Return a sentence that is kept in a constant as it is, so that the catalogue holds it; `say` looks it up."""
    return text


def say(text: str, /, **values: object) -> str:
    """Return a sentence in the reader's language with its values in place of their names: `say("p. {page}", page=3)`.

    A text without values is returned as it stands, braces and all.

    Raises:
        KeyError: a value that the sentence names is missing.
    """
    found = _READERS.get().gettext(text) if text else ""  # the empty id is the catalogue's own heading
    return found.format(**values) if values else found


def say_count(one: str, many: str, number: int, /, **values: object) -> str:
    """Return the form for a number, which both name: `say_count("{number} day", "{number} days", 3)`.

    Raises:
        KeyError: a value that the sentence names is missing.
    """
    return _READERS.get().ngettext(one, many, number).format(number=number, **values)


@contextmanager
def read_in(translations: NullTranslations) -> Iterator[None]:
    """Let everything that is said within, in this task, be of another language's catalogue."""
    before = _READERS.set(translations)
    try:
        yield
    finally:
        _READERS.reset(before)
